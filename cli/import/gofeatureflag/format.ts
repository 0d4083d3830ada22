import { roundNumber } from '../../../shared/flags/exactJson.ts';
import { describe, isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';
import { typeOf, Untranslatable } from '../translation/values.ts';
import { YamlScalar } from '../yamlScalars.ts';

/** Where a value is, and which of Go's two decoders reads it: `encoding/json` or `yaml.v3`. */
interface Place {
  readonly path: string;
  readonly isYaml: boolean;
}

/**
 * Reads a value as Go decodes it into a variable of a type.
 *
 * @throws {Untranslatable} if Go refuses it, and with it the whole file
 */
type GoType<T> = (value: unknown, place: Place) => T;

type Fields = Readonly<Record<string, GoType<unknown>>>;
type Struct<F extends Fields> = { readonly [K in keyof F]?: ReturnType<F[K]> };

function refused(what: string, value: unknown, { path }: Place): Untranslatable {
  const found = describe(value instanceof YamlScalar ? value.value : value);
  return new Untranslatable(`${path} must be ${what}, but is ${found}; GO Feature Flag refuses a file with it`);
}

const isNull = (value: unknown) => (value instanceof YamlScalar ? value.value : value) === null;

function objectAt(value: unknown, place: Place): JsonObject {
  if (isJsonObject(value) && !(value instanceof YamlScalar)) return value;
  throw refused('an object', value, place);
}

/** A `*string`. In YAML, any scalar is one, as it is written. */
const text: GoType<string> = (value, place) => {
  if (value instanceof YamlScalar) return value.source;
  if (typeof value === 'string') return value;
  throw refused('a string', value, place);
};

/** A `*bool`. In YAML, the spellings of YAML 1.1 are one too, with or without quotes. */
const boolean: GoType<boolean> = (value, place) => {
  const given = value instanceof YamlScalar ? value.value : value;
  if (typeof given === 'boolean') return given;
  if (place.isYaml && /^(?:[yY]|[yY]es|YES|[oO]n|ON)$/.test(String(given))) return true;
  if (place.isYaml && /^(?:[nN]|[nN]o|NO|[oO]ff|OFF)$/.test(String(given))) return false;
  throw refused('true or false', value, place);
};

/** A `float64`. */
const number: GoType<number> = (value, place) => {
  if (isNull(value)) return 0;
  const given = roundNumber(value instanceof YamlScalar ? value.value : value);
  if (typeof given === 'number') return given;
  throw refused('a number', value, place);
};

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const YAML_TIME = /^\d{4}-\d\d?-\d\d?([Tt]\d\d?:\d\d?:\d\d?(\.\d+)?(Z|[+-]\d\d:\d\d)| \d\d?:\d\d?:\d\d?(\.\d+)?)?$/;

/** A `*time.Time` in unix milliseconds. YAML has more forms of it, without quotes. */
const time: GoType<number> = (value, place) => {
  const [form, source, given] =
    value instanceof YamlScalar ? [YAML_TIME, value.source, value.value] : [RFC_3339, value, value];
  if (typeof source !== 'string' || !form.test(source) || !isOnCalendar(source))
    throw refused('a time such as 2026-11-29T10:00:00Z', value, place);
  return Date.parse(String(given));
};

/** JavaScript takes February 30 for a day in March, and 25:00 for a time of the next day. */
function isOnCalendar(source: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (source.match(/\d+/g) ?? []).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

/** Any value. */
const anything: GoType<unknown> = (value) => {
  if (value instanceof YamlScalar) return value.value;
  if (Array.isArray(value)) return value.map((item) => anything(item, { path: '', isYaml: true }));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, anything(item, { path: '', isYaml: true })]),
  );
};

/** A slice. A null item is skipped in YAML, and has no members in JSON. */
function listOf<T>(type: GoType<T>): GoType<readonly T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw refused('an array', value, place);
    return value.flatMap((item, n) => {
      if (isNull(item) && place.isYaml) return [];
      return [type(item ?? {}, { ...place, path: `${place.path}[${n}]` })];
    });
  };
}

/** A map. A key of YAML that is null is no text. */
function mapOf<T>(type: GoType<T>): GoType<readonly (readonly [key: string, value: T])[]> {
  return (value, place) =>
    Object.entries(objectAt(value, place)).map(([key, item]) => {
      if (place.isYaml && /^(~|null|Null|NULL|)$/.test(key))
        throw new Untranslatable(`${place.path} has a key "${key}", which is null in YAML`);
      return [key, type(item, { ...place, path: `${place.path}.${key}` })];
    });
}

/** A struct of pointers: null is as missing, and other members are ignored. In JSON, the case of names does not count. */
function struct<F extends Fields>(fields: F): GoType<Struct<F>> {
  return (value, place) => {
    const object = objectAt(value, place);
    const found = Object.keys(fields).flatMap((name) => {
      const [key, other] = Object.keys(object).filter((given) => isNamed(given, name, place));
      const at = place.path === '' ? name : `${place.path}.${name}`;
      if (other !== undefined) throw new Untranslatable(`${at}, which is there as "${key}" and "${other}"`);
      if (key === undefined || object[key] === undefined || isNull(object[key])) return [];
      return [[name, fields[name]?.(object[key], { ...place, path: at })] as const];
    });
    return Object.fromEntries(found) as Struct<F>;
  };
}

/** Go folds two more letters: the long s and the Kelvin sign. */
const fold = (name: string) => name.toLowerCase().replaceAll('ſ', 's').replaceAll('K', 'k');

function isNamed(given: string, name: string, { isYaml }: Place): boolean {
  return isYaml ? given === name : fold(given) === fold(name);
}

const progressStep = struct({ variation: text, percentage: number, date: time });

/** What is served to whom. */
const rule = struct({
  name: text,
  query: text,
  variation: text,
  percentage: mapOf(number),
  progressiveRollout: struct({ initial: progressStep, end: progressStep }),
  disable: boolean,
});

/** Go has no type of JSON for a time, and compares it with the types of other variations. */
const variationValue: typeof anything = (value, place) => {
  if (value instanceof YamlScalar && typeof value.value === 'string')
    throw new Untranslatable(`${place.path}, which is a time; write it in quotes`);
  return anything(value, place);
};

const content = {
  variations: mapOf(variationValue),
  targeting: listOf(rule),
  bucketingKey: text,
  defaultRule: rule,
  experimentation: struct({ start: time, end: time }),
  trackEvents: boolean,
  disable: boolean,
  version: text,
  metadata: mapOf(anything),
};

/** The members of a flag as GO Feature Flag declares them (`modules/core/dto`). */
const flag = struct({
  ...content,
  converter: text,
  scheduledRollout: listOf(struct({ ...content, date: time })),
});

export type Rule = ReturnType<typeof rule>;
export type GoFlag = ReturnType<typeof flag>;
export type Step = NonNullable<GoFlag['scheduledRollout']>[number];

/**
 * A flag with valid members.
 *
 * @param isYaml whether the file is YAML, whose scalars are {@link YamlScalar}s
 * @throws {Untranslatable} for a member or a flag that GO Feature Flag refuses
 */
export function readGoFlag(definition: unknown, isYaml: boolean): GoFlag {
  const read = flag(definition ?? {}, { path: '', isYaml });
  requireValid(read);
  return read;
}

/** The name of a variation, if the flag has it. @throws {Untranslatable} otherwise */
export function known(name: string | undefined, { variations = [] }: Pick<GoFlag, 'variations'>): string {
  if (name !== undefined && variations.some(([variation]) => variation === name)) return name;
  throw new Untranslatable(`the variation ${name ?? 'null'}, which does not exist`);
}

/** What GO Feature Flag checks when it loads a flag (`IsValid`). Scheduled changes are not checked. */
function requireValid(given: GoFlag): void {
  const { variations = [], defaultRule, targeting = [] } = given;
  if (variations.some(([, value]) => value === null)) throw new Untranslatable('a variation without a value');
  typeOf(variations.map(([, value]) => value));
  if (new Set(variations.map(([, value]) => Array.isArray(value))).size > 1)
    throw new Untranslatable('variants of different types, or without a type');
  if (!defaultRule) throw new Untranslatable('a missing default rule; SDKs return the default in your code');
  requireServing(defaultRule, given);
  for (const each of targeting.filter(({ disable }) => !disable)) {
    if (/^[ \n]*$/.test(each.query ?? '')) throw new Untranslatable('a rule without a query');
    requireServing(each, given);
  }
  const names = targeting.flatMap(({ name }) => name || []);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new Untranslatable(`two rules with the name "${twice}"`);
}

function requireServing({ variation, percentage, progressiveRollout }: Rule, given: GoFlag): void {
  for (const [name] of percentage ?? []) known(name, given);
  if (percentage?.reduce((sum, [, share]) => sum + share, 0) === 0)
    throw new Untranslatable('weights that add up to zero');
  if (progressiveRollout) {
    const { initial, end } = progressiveRollout;
    known(initial?.variation, given);
    known(end?.variation, given);
    if ((end?.percentage ?? 0) < (initial?.percentage ?? 0))
      throw new Untranslatable('a progressive rollout whose share at the end is smaller');
  } else if (!percentage) known(variation, given);
}
