import { describe, isJsonObject } from '../../../shared/flags/reader.ts';
import { ABSENT, NO_TEXTS, type Note, noteValues, TEXTS } from '../translation/differences.ts';
import { everybody, type RuleContent, type TrafficSplit, trafficSplit } from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { falseOf, textOf, typeOf, Untranslatable, WrongForm } from '../translation/values.ts';
import { attributeOf, readQuery } from './conditions.ts';
import { type GoFlag, known, type Rule, readGoFlag, type Step } from './format.ts';

/** The clock in unix milliseconds, for rollouts that change with time, and the language of the file. */
interface Options {
  readonly now?: number;
  /** Whether scalars are as in {@link readFirstDocument}. */
  readonly isYaml?: boolean;
}

/**
 * Reads GO Feature Flag's configuration (version 1, in `flags`). Each flag has its value for the same context, or a
 * listed difference.
 *
 * @throws {WrongForm} if the file has no flags
 */
export function importFromGoFeatureFlag(
  file: unknown,
  { now = Date.now(), isYaml = false }: Options = {},
): Translation {
  const flags = isJsonObject(file) ? file['flags'] : undefined;
  if (!isJsonObject(flags)) throw new WrongForm(`"flags" must be an object, but is ${describe(flags)}`);
  const translator = new Translator();
  for (const [key, definition] of Object.entries(flags))
    translator.flag(key, (note) => translate(afterDueSteps(readGoFlag(definition, isYaml), note, now), note, now));
  return translator;
}

function translate(flag: GoFlag, note: Note, now: number): FlagContent {
  const { variations = [], metadata = [], targeting = [], defaultRule = {}, experimentation } = flag;
  const serving = { flag, dispatchKey: readBucketingKey(flag.bucketingKey, note), note, now };
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY } = experimentation ?? {};
  // An experiment that does not run disables the flag.
  const isDisabled = flag.disable === true || now < start || now > end;
  if (isDisabled) note({ cause: 'disabled' });
  if (experimentation) note({ cause: 'experiment' });
  const rules = targeting.flatMap((rule): readonly RuleContent[] => {
    const { name, query, disable } = rule;
    if (disable) return [];
    const split = readServed(rule, serving);
    return readQuery(query, note).map((conditions) => ({ ...(name && { name }), conditions, ...split }));
  });
  const description = metadata.find(([key]) => key === 'description')?.[1];
  return {
    description: typeof description === 'string' ? description : '',
    variationType: typeOf(variations.map(([, value]) => value)),
    variations: variations.map(([name, value]) => ({ id: name, name, value: textOf(value) })),
    rules,
    isEnabled: true,
    isArchived: isDisabled,
    disabledVariationId: falseOf(variations) ?? variations[0]?.[0],
    fallthrough: readServed(defaultRule, serving),
  };
}

interface Serving {
  readonly flag: GoFlag;
  readonly dispatchKey: string | null;
  readonly note: Note;
  readonly now: number;
}

/** What a rule serves: a progressive rollout, percentages, or one variation, in this order. */
function readServed(
  { progressiveRollout, percentage = [], variation }: Rule,
  { flag, dispatchKey, note, now }: Serving,
): TrafficSplit {
  if (progressiveRollout) {
    note({ cause: 'progressive' });
    const { initial: { percentage: from = 0, ...initial } = {}, end: { percentage: to = 0, ...end } = {} } =
      progressiveRollout;
    if (initial.date === undefined || end.date === undefined || end.date <= initial.date)
      throw new Untranslatable('a progressive rollout without dates in order');
    const passed = Math.min(1, Math.max(0, (now - initial.date) / (end.date - initial.date)));
    const share = from + passed * ((to === 0 || to > 100 ? 100 : to) - from);
    if (!(share >= 0 && share <= 100))
      throw new Untranslatable('a progressive rollout with a share outside of 0 to 100');
    if (now < initial.date) return everybody(known(initial.variation, flag));
    return trafficSplit(dispatchKey, [
      [known(end.variation, flag), share],
      [known(initial.variation, flag), 100 - share],
    ]);
  }
  if (percentage.length === 0) return everybody(known(variation, flag));
  const shares = percentage.map(([name, share]): [string, number] => {
    if (share < 0) throw new Untranslatable(`the percentage ${share}`);
    return [known(name, flag), share];
  });
  return trafficSplit(dispatchKey, shares);
}

/** The attribute that splits users. Null for their key. Without the attribute, GO Feature Flag evaluates nothing. */
function readBucketingKey(name = '', note: Note): string | null {
  if (name === '') return null;
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
function afterDueSteps(flag: GoFlag, note: Note, now: number): GoFlag {
  const steps = flag.scheduledRollout ?? [];
  const due = steps.filter(({ date }) => date !== undefined && date <= now);
  if (due.length < steps.length) note({ cause: 'scheduled' });
  return due.toSorted((a, b) => Number(a.date) - Number(b.date)).reduce(afterStep, flag);
}

/** A step changes no other members. */
function afterStep(before: GoFlag, step: Step): GoFlag {
  const { targeting = [], defaultRule, variations = [], experimentation, disable = before.disable } = step;
  return {
    ...before,
    ...(disable !== undefined && { disable }),
    targeting: mergeRules(before.targeting ?? [], targeting),
    ...(defaultRule && { defaultRule: mergeRule(before.defaultRule ?? {}, defaultRule) }),
    variations: merged(before.variations, variations),
    ...(experimentation && { experimentation: { ...before.experimentation, ...experimentation } }),
  };
}

/** Rules of the same name are merged, the last one of a step. Others are added at the end. */
function mergeRules(rules: readonly Rule[], updates: readonly Rule[]): Rule[] {
  if (updates.some(({ name }) => name === '')) throw new Untranslatable('a scheduled rule with an empty name');
  const updateOf = ({ name }: Rule) => updates.findLast((each) => name !== undefined && each.name === name);
  const added = updates.filter(({ name }) => name === undefined || !rules.some((rule) => rule.name === name));
  return [...rules.map((rule) => mergeRule(rule, updateOf(rule) ?? {})), ...added];
}

function mergeRule(before: Rule, update: Rule): Rule {
  const { percentage, progressiveRollout } = update;
  return {
    ...before,
    ...update,
    // A negative percentage removes a variation.
    ...(percentage && { percentage: merged(before.percentage, percentage).filter(([, share]) => share >= 0) }),
    ...(progressiveRollout && {
      progressiveRollout: {
        initial: { ...before.progressiveRollout?.initial, ...progressiveRollout.initial },
        end: { ...before.progressiveRollout?.end, ...progressiveRollout.end },
      },
    }),
  };
}

function merged<T>(before: readonly (readonly [string, T])[] = [], update: readonly (readonly [string, T])[] = []) {
  return [...new Map([...before, ...update])];
}
