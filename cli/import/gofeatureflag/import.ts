import { roundNumber } from '../../../shared/flags/exactJson.ts';
import { describe, isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';
import { ABSENT, NO_TEXTS, type Note, noteValues, TEXTS } from '../translation/differences.ts';
import { everybody, type RuleContent, type TrafficSplit, trafficSplit } from '../translation/trafficSplit.ts';
import { type Translation, Untranslatable, WrongForm } from '../translation/translation.ts';
import { type FlagContent, Translator } from '../translation/translator.ts';
import { textIn, textOf, typeOf } from '../translation/values.ts';
import { attributeOf, readQuery } from './conditions.ts';

/**
 * Reads GO Feature Flag's configuration (version 1, in `flags`). Each flag has its value for the same context, or a listed difference.
 *
 * @param now unix milliseconds, for rollouts that change with time
 * @throws {WrongForm} if the file has no flags
 */
export function importFromGoFeatureFlag(file: unknown, now = Date.now()): Translation {
  const flags = isJsonObject(file) ? file['flags'] : undefined;
  if (!isJsonObject(flags)) throw new WrongForm(`"flags" must be an object, but is ${describe(flags)}`);
  const translator = new Translator();
  for (const [key, definition] of Object.entries(flags))
    translator.flag(key, (note) => readFlag(isJsonObject(definition) ? definition : {}, note, now));
  return translator;
}

function readFlag(given: JsonObject, note: Note, now: number): FlagContent {
  const definition = afterDueSteps(given, note, now);
  const { variations, metadata, defaultRule, bucketingKey, experimentation } = definition;
  const named = Object.entries(isJsonObject(variations) ? variations : {});
  const variationType = typeOf(named.map(([, value]) => value));
  if (!isJsonObject(defaultRule))
    throw new Untranslatable('a missing default rule; SDKs return the default in your code');
  const serving = { names: named.map(([name]) => name), dispatchKey: readBucketingKey(bucketingKey, note), note, now };
  const isDisabled = definition['disable'] === true || isOutside(experimentation, now);
  if (isDisabled) note({ cause: 'disabled' });
  if (isJsonObject(experimentation)) note({ cause: 'experiment' });
  const rules = objectsOf(definition['targeting']).flatMap((rule): readonly RuleContent[] => {
    if (rule['disable'] === true) return [];
    const split = readServed(rule, serving);
    const name = textIn(rule, 'name');
    return readQuery(rule['query'], note).map((conditions) => ({ ...(name && { name }), conditions, ...split }));
  });
  return {
    description: textIn(metadata, 'description'),
    variationType,
    variations: named.map(([name, value]) => ({ id: name, name, value: textOf(value) })),
    rules,
    isEnabled: true,
    isArchived: isDisabled,
    disabledVariationId: serving.names[0],
    fallthrough: readServed(defaultRule, serving),
  };
}

/** Whether an experiment does not run. GO Feature Flag then takes the flag for disabled. */
function isOutside(experiment: unknown, now: number): boolean {
  const { start, end } = asObject(experiment);
  return timeOf(start) > now || timeOf(end) < now;
}

interface Serving {
  /** The names of the flag's variations. */
  readonly names: readonly string[];
  readonly dispatchKey: string | null;
  readonly note: Note;
  readonly now: number;
}

/** What a rule serves: a progressive rollout, percentages, or one variation, in this order. */
function readServed(rule: JsonObject, { names, dispatchKey, note, now }: Serving): TrafficSplit {
  const known = (name: unknown) => {
    if (typeof name === 'string' && names.includes(name)) return name;
    throw new Untranslatable(`the variation ${textOf(name ?? null)}, which does not exist`);
  };
  const { progressiveRollout, percentage, variation } = rule;
  if (isJsonObject(progressiveRollout)) {
    note({ cause: 'progressive' });
    const [from, to] = [stepOf(progressiveRollout['initial']), stepOf(progressiveRollout['end'])];
    const passed = Math.min(1, Math.max(0, (now - from.at) / (to.at - from.at)));
    if (!(to.at > from.at)) throw new Untranslatable('a progressive rollout without dates in order');
    const end = to.percent > 0 ? Math.min(100, to.percent) : 100;
    const share = from.percent + passed * (end - from.percent);
    if (!(share >= 0 && share <= 100))
      throw new Untranslatable('a progressive rollout with a share outside of 0 to 100');
    if (now < from.at) return everybody(known(from.variation));
    return trafficSplit(dispatchKey, [
      [known(to.variation), share],
      [known(from.variation), 100 - share],
    ]);
  }
  if (isJsonObject(percentage)) {
    const shares = Object.entries(percentage).map(([name, value]): [string, number] => {
      const share = Number(roundNumber(value));
      if (!(share >= 0)) throw new Untranslatable(`the percentage ${textOf(value)}`);
      return [known(name), share];
    });
    return trafficSplit(dispatchKey, shares);
  }
  // In YAML, the names true and false may be without quotes.
  const name = roundNumber(variation);
  return everybody(known(typeof name === 'boolean' ? String(name) : name));
}

function stepOf(step: unknown) {
  const { variation, percentage, date } = isJsonObject(step) ? step : {};
  return { variation, percent: Number(roundNumber(percentage ?? 0)), at: timeOf(date) };
}

/** The attribute that splits users. Null for their key. Without the attribute, GO Feature Flag evaluates nothing. */
function readBucketingKey(name: unknown, note: Note): string | null {
  if (name === undefined || name === null || name === '') return null;
  if (typeof name !== 'string') throw new Untranslatable(`the bucketing key ${textOf(name)}`);
  const property = attributeOf(name);
  if (property === 'keyId') {
    // GO Feature Flag looks for an attribute "key".
    if (name === 'key') noteValues(note, property, TEXTS, 'bucketing');
    return null;
  }
  noteValues(note, property, [...ABSENT, 'empty', ...NO_TEXTS], 'bucketing');
  return property;
}

/** A flag after the steps of its schedule that are due. Later steps are a difference. */
function afterDueSteps(flag: JsonObject, note: Note, now: number): JsonObject {
  const steps = objectsOf(flag['scheduledRollout']).map((step) => ({ step, at: timeOf(step['date']) }));
  if (steps.some(({ at }) => !(at <= now))) note({ cause: 'scheduled' });
  const due = steps.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
  return due.reduce((before, { step }) => afterStep(before, step), flag);
}

function afterStep(
  before: JsonObject,
  { date: _, targeting, defaultRule, variations, ...rest }: JsonObject,
): JsonObject {
  return {
    ...before,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
    targeting: mergeRules(objectsOf(before['targeting']), objectsOf(targeting)),
    defaultRule: isJsonObject(defaultRule) ? mergeRule(before['defaultRule'], defaultRule) : before['defaultRule'],
    variations: { ...asObject(before['variations']), ...asObject(variations) },
  };
}

/** Rules of the same name are merged, others are added at the end. */
function mergeRules(rules: readonly JsonObject[], updates: readonly JsonObject[]): JsonObject[] {
  const updateOf = ({ name }: JsonObject) =>
    name === undefined ? undefined : updates.find((each) => each['name'] === name);
  const added = updates.filter(({ name }) => name === undefined || !rules.some((rule) => rule['name'] === name));
  return [...rules.map((rule) => mergeRule(rule, updateOf(rule) ?? {})), ...added];
}

function mergeRule(rule: unknown, update: JsonObject): JsonObject {
  const before = asObject(rule);
  if (!isJsonObject(update['percentage'])) return { ...before, ...update };
  const shares = Object.entries({ ...asObject(before['percentage']), ...update['percentage'] });
  // A negative percentage removes a variation.
  return {
    ...before,
    ...update,
    percentage: Object.fromEntries(shares.filter(([, share]) => Number(roundNumber(share)) >= 0)),
  };
}

function timeOf(date: unknown): number {
  return typeof date === 'string' ? Date.parse(date) : Number.NaN;
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
