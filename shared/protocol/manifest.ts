import type { Flag, Variation } from '../flags/flag.ts';
import { valueJson } from '../flags/variationValue.ts';

/** The types of the OpenFeature CLI. */
type ManifestType = 'boolean' | 'string' | 'integer' | 'float' | 'object';

/** The defaults of flags without any valid value, as JSON. */
const EMPTY: Readonly<Record<ManifestType, string>> = {
  boolean: 'false',
  string: '""',
  integer: '0',
  float: '0',
  object: '{}',
};

const INTEGER = /^-?\d+$/;

/**
 * The manifest of flags for the OpenFeature CLI: a response of its Manifest Management API 0.1.0. Archived flags are left out.
 *
 * A number is `float` if a variation is not a safe integer. The API lists no `float`, but the CLI and its manifest files have it.
 *
 * @returns JSON, the flags ordered by key
 */
export function manifestJson(flags: readonly Flag[]): string {
  const present = flags.filter(({ isArchived }) => !isArchived);
  const sorted = present.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return `{"flags":[${sorted.map(flagJson).join()}]}`;
}

function flagJson(flag: Flag): string {
  const { key, name, description } = flag;
  const type = typeOf(flag);
  const json = JSON.stringify({ key, name: name || undefined, type, description: description || undefined });
  return `${json.slice(0, -1)},"defaultValue":${defaultOf(flag) ?? EMPTY[type]}}`;
}

function typeOf({ variationType, variations }: Flag): ManifestType {
  if (variationType === 'json') return 'object';
  if (variationType !== 'number') return variationType;
  const values = variations.flatMap(({ value }) => valueJson('number', value) ?? []);
  const isInteger = values.every((value) => INTEGER.test(value) && Number.isSafeInteger(Number(value)));
  return isInteger ? 'integer' : 'float';
}

/**
 * The default for code that cannot evaluate the flag: the value while the flag is off, else the first valid one. The CLI refuses
 * null, and with it the whole manifest.
 */
function defaultOf({ variationType, variations, disabledVariationId }: Flag): string | undefined {
  const isOff = ({ id }: Variation) => id === disabledVariationId;
  const ordered = [...variations.filter(isOff), ...variations.filter((variation) => !isOff(variation))];
  return ordered
    .map(({ value }) => valueJson(variationType, value))
    .find((json) => json !== undefined && json !== 'null');
}
