import { isDeepStrictEqual } from 'node:util';
import { type Config, readConfig } from './config.ts';

/** Key of the Data stack's template metadata under which the settings of a deployment are. */
const METADATA_KEY = 'flagwire:settings';

type JsonObject = Readonly<Record<string, unknown>>;

/** A setting that a deployment has and the next one would not have. */
export interface DroppedSetting {
  readonly key: string;
  readonly before: unknown;
  /** What it would be; undefined where it would be gone. */
  readonly after: unknown;
  /** Whether all of its group would be gone, as `host` with its stack. */
  readonly isGroupGone: boolean;
}

/**
 * Template metadata that records a deployment's settings as JSON: those that were set, and all that they came to. It is text, as
 * metadata of a template takes no fractions.
 *
 * @param set as in the file of the stage
 */
export function settingsMetadata(set: JsonObject, config: Config): Readonly<Record<string, string>> {
  return { [METADATA_KEY]: JSON.stringify({ set, effective: config }) };
}

/**
 * The settings that were set for a deployment, by its template's metadata.
 *
 * @param metadata as CloudFormation gives it, JSON; undefined where the template has none
 * @returns undefined where they were not recorded
 */
export function readRecordedSettings(metadata: string | undefined): JsonObject | undefined {
  const { [METADATA_KEY]: recorded } = JSON.parse(metadata ?? '{}') as Record<string, string | undefined>;
  return recorded === undefined ? undefined : (JSON.parse(recorded) as { readonly set: JsonObject }).set;
}

/**
 * Settings that were set and would be dropped, or be the default again. A value that changes to another one was changed on purpose.
 *
 * @param before what was set
 * @param now what is set
 * @param config what that comes to
 */
export function droppedSettings(before: JsonObject, now: JsonObject, config: Config): DroppedSetting[] {
  const defaults = readConfig({ stage: config.stage });
  return leaves(before).flatMap(([path, value]) => {
    const after = at(config, path);
    const isOff = value === false && after === undefined;
    const isOn = value === true && typeof after === 'object';
    if (isOff || isOn || isDeepStrictEqual(after, value)) return [];
    const isSet = at(now, path) !== undefined;
    const isDropped = !isSet || after === undefined || isDeepStrictEqual(after, at(defaults, path));
    const isGroupGone = at(config, path.slice(0, 1)) === undefined;
    return isDropped ? [{ key: path.join('.'), before: value, after, isGroupGone }] : [];
  });
}

/** Values with the names that lead to them, as `domain`, `name`. Lists are values, and a group of nothing is `true`. */
function leaves(settings: JsonObject, path: readonly string[] = []): [readonly string[], unknown][] {
  return Object.entries(settings)
    .filter(([name]) => path.length > 0 || name !== 'stage')
    .flatMap(([name, value]): [readonly string[], unknown][] => {
      const here = [...path, name];
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[here, value]];
      return Object.keys(value).length > 0 ? leaves(value as JsonObject, here) : [[here, true]];
    });
}

function at(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], settings);
}
