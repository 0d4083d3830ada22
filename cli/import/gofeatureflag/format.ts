import { typeOf, Untranslatable } from '../translation/values.ts';
import { YamlScalar } from '../yamlScalars.ts';
import { anything, boolean, listOf, mapOf, number, struct, text, time } from './types.ts';

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
