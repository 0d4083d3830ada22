import { roundNumber } from '../../../shared/flags/exactJson.ts';
import { describe, isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';
import { NEVER } from '../translation/conditions.ts';
import { ABSENT, NO_TEXTS, type Note, noteValues } from '../translation/differences.ts';
import {
  everybody,
  type RuleContent,
  rulesOf,
  rulesOfRest,
  type ServedSplit,
  servedAlike,
  servedBy,
  trafficSplit,
} from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { falseOf, textIn, textOf, typeOf, Untranslatable, WrongForm } from '../translation/values.ts';
import { type Attribute, attributeOf, untranslatable } from './comparisons.ts';
import { ConditionReader, operationOf } from './conditions.ts';

/**
 * Reads flagd's flag definitions (schema v0). Each flag has flagd's value for the same context, or a listed difference.
 *
 * @throws {WrongForm} if the file has no flags
 */
export function importFromFlagd(file: unknown): Translation {
  const all = isJsonObject(file) ? file['flags'] : undefined;
  if (!isJsonObject(file) || (!isJsonObject(all) && !Array.isArray(all)))
    throw new WrongForm(`"flags" must be an object or an array, but is ${describe(all)}`);
  const evaluators = isJsonObject(file['$evaluators']) ? file['$evaluators'] : {};
  const entries = Array.isArray(all) ? all.map((flag) => [textIn(flag, 'key'), flag] as const) : Object.entries(all);
  const translator = new Translator();
  for (const [key, definition] of entries) {
    translator.flag(key, (note) => readFlag(isJsonObject(definition) ? definition : {}, evaluators, note));
  }
  return translator;
}

function readFlag(definition: JsonObject, evaluators: JsonObject, note: Note): FlagContent {
  const { state } = definition;
  const isDisabled = state === 'DISABLED';
  if (state !== 'ENABLED' && !isDisabled) {
    const found = state === undefined ? 'a flag without "state"' : `the "state" ${JSON.stringify(state)}`;
    throw new Untranslatable(`${found}; write "ENABLED" or "DISABLED"`);
  }
  if (isDisabled) note({ cause: 'disabled' });
  const variants = Object.entries(isJsonObject(definition['variants']) ? definition['variants'] : {});
  const variationType = typeOf(variants.map(([, value]) => value));

  const { defaultVariant, metadata } = definition;
  const targeting = definition['targeting'] ?? {};
  if (!isJsonObject(targeting))
    throw new Untranslatable(`"targeting" must be an object, but is ${describe(targeting)}`);
  if (typeof (defaultVariant ?? '') !== 'string')
    throw new Untranslatable(`"defaultVariant" must be a string, but is ${describe(defaultVariant)}`);
  const variantOf = variantReader(
    variants.map(([name]) => name),
    defaultVariant,
    note,
  );
  const isEmpty = Object.keys(targeting).length === 0;
  const { rules, otherwise } = isEmpty
    ? { rules: [], otherwise: variantOf(null) }
    : readTargeting(targeting, evaluators, variantOf, note);
  return {
    name: textIn(metadata, 'name') || undefined,
    description: textIn(metadata, 'description'),
    variationType,
    variations: variants.map(([name, value]) => ({ id: name, name, value: textOf(value) })),
    rules: [...rules, ...rulesOfRest(otherwise)],
    isEnabled: true,
    isArchived: isDisabled,
    disabledVariationId: falseOf(variants) ?? (typeof defaultVariant === 'string' ? defaultVariant : variants[0]?.[0]),
    fallthrough: otherwise.split,
  };
}

/** Above this sum of weights, flagd returns the default variant. */
const MAX_WEIGHT = 2 ** 31 - 1;

type VariantReader = (result: unknown) => ServedSplit;

function variantReader(names: readonly string[], defaultVariant: unknown, note: Note): VariantReader {
  const nameOf = (result: unknown): string => {
    const name = roundNumber(result ?? defaultVariant);
    if (name === undefined || name === null)
      throw new Untranslatable('a missing default variant; SDKs return the default in your code');
    if (!['string', 'boolean', 'number'].includes(typeof name)) throw untranslatable(name);
    if (!names.includes(String(name))) throw new Untranslatable(`the variant "${String(name)}", which does not exist`);
    return String(name);
  };
  return (result) => {
    if (!isJsonObject(result)) return servedAlike(everybody(nameOf(result)));
    const [operator, args] = operationOf(result);
    if (operator !== 'fractional') throw untranslatable(result);
    const [first] = args;
    const isKeyed = !Array.isArray(first);
    const buckets = (isKeyed ? args.slice(1) : args).map((bucket): [string, number] => {
      if (!Array.isArray(bucket) || bucket.length === 0 || bucket.length > 2) throw untranslatable(result);
      const [name, weight = 1]: unknown[] = bucket.map(roundNumber);
      if (typeof weight !== 'number' || !Number.isInteger(weight)) throw untranslatable(result);
      return [nameOf(name), Math.max(0, weight)];
    });
    if (buckets.reduce((sum, [, weight]) => sum + weight, 0) > MAX_WEIGHT) throw untranslatable(result);
    if (!isKeyed) return servedAlike(trafficSplit(null, buckets));
    const { property, isText, isEmptyIfMissing } = bucketKeyOf(first);
    if (property === 'keyId') return servedAlike(trafficSplit(null, buckets));
    const split = trafficSplit(property, buckets);
    const isAlwaysText = isText || isEmptyIfMissing;
    // An attribute that is not text gets no share. All users without it get the same one.
    noteValues(note, property, isAlwaysText ? [...ABSENT, 'empty'] : ['empty']);
    if (!isText) noteValues(note, property, NO_TEXTS);
    return isAlwaysText ? servedAlike(split) : servedBy(split, nameOf(null));
  };
}

/** The attribute that splits users: alone, or as text after the flag's key. */
function bucketKeyOf(logic: unknown): Attribute {
  const parts = isJsonObject(logic) && Array.isArray(logic['cat']) ? logic['cat'] : [logic];
  const ofUser = parts.filter((part) => !(isJsonObject(part) && part['var'] === '$flagd.flagKey'));
  const attribute = ofUser.length === 1 ? attributeOf(ofUser[0]) : undefined;
  if (!attribute) throw untranslatable(logic);
  return { ...attribute, isText: attribute.isText || parts[0] !== logic };
}

interface Targeting {
  readonly rules: readonly RuleContent[];
  readonly otherwise: ServedSplit;
}

/** Rules in order, one for each alternative, and the default rollout. */
function readTargeting(logic: unknown, evaluators: JsonObject, variantOf: VariantReader, note: Note): Targeting {
  const rules: RuleContent[] = [];
  const conditions = () => new ConditionReader(evaluators, note);
  for (let rest = logic; ; ) {
    const [operator, args] = isJsonObject(rest) ? operationOf(rest) : ['', []];
    if (operator === '$ref' && Object.hasOwn(evaluators, textOf(args[0]))) {
      throw new Untranslatable('targeting that consists of a single shared evaluator');
    }
    if (!isJsonObject(rest) || operator === 'fractional') return { rules, otherwise: variantOf(rest) };
    // A condition alone returns true or false (a variant's name), or null (the default variant).
    const branches = operator === 'if' ? args : [rest, true, false];
    for (let n = 0; n + 1 < branches.length; n += 2) {
      rules.push(...rulesOf(conditions().read(branches[n]), variantOf(branches[n + 1])));
    }
    const alternatives = operator === 'if' ? NEVER : conditions().readNull(rest);
    if (alternatives.length > 0) rules.push(...rulesOf(alternatives, variantOf(null)));
    rest = branches.length % 2 === 1 ? branches.at(-1) : null;
  }
}
