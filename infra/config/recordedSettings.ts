import { isDeepStrictEqual } from 'node:util';
import { type Config, readConfig } from './config.ts';

/** Key of the deployment's settings in the metadata of the Data stack's template. */
const METADATA_KEY = 'flagwire:settings';

type JsonObject = Readonly<Record<string, unknown>>;

/** A setting of the current deployment that the next one would lose. */
export interface DroppedSetting {
  readonly key: string;
  readonly before: unknown;
  /** Its next value; undefined if it would be removed. */
  readonly after: unknown;
  /** Whether its whole group would be removed, such as `host` with its stack. */
  readonly isGroupGone: boolean;
}

/**
 * Template metadata with a deployment's settings as JSON text: the explicit ones, and the effective configuration. It is text
 * because template metadata cannot hold fractions.
 *
 * @param set the settings in the stage file
 */
export function settingsMetadata(set: JsonObject, config: Config): Readonly<Record<string, string>> {
  return { [METADATA_KEY]: JSON.stringify({ set, effective: config }) };
}

/** The recorded settings of a deployment. */
export interface RecordedSettings {
  /** The explicit settings. */
  readonly set: JsonObject;
  /** All settings, with defaults and those that depend on the account. */
  readonly effective: JsonObject;
}

/**
 * The settings of a deployment, from its template's metadata.
 *
 * @param metadata as CloudFormation returns it, JSON; undefined if the template has none
 * @returns undefined if they were not recorded
 */
export function readRecordedSettings(metadata: string | undefined): RecordedSettings | undefined {
  const { [METADATA_KEY]: recorded } = JSON.parse(metadata ?? '{}') as Record<string, string | undefined>;
  return recorded === undefined ? undefined : JSON.parse(recorded);
}

/**
 * Explicit settings that would be dropped or reset to their default. A changed value is intended, so it is not listed.
 *
 * @param before the explicit settings of the deployment
 * @param now the explicit settings of the next one
 * @param config its effective configuration
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

/** Values with the path of keys to each, as `domain`, `name`. Lists are values, and an empty group is `true`. */
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
