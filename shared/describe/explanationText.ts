import type { Flag } from '../flags/flag.ts';
import { isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { nameOfVariation } from '../flags/shares.ts';
import { formatCondition } from './conditionText.ts';
import type { Bucketing, ConditionAnswer, Explanation, RuleAnswer, SegmentAnswer } from './explain.ts';

/**
 * An explanation in words, with one line for each step in order of evaluation. The last line says what decided.
 *
 * @param keyId the user's key id
 */
export function explanationLines(flag: Flag, keyId: string, { result, rules, bucketing }: Explanation): string[] {
  switch (result.cause) {
    case 'archived':
      return ['the flag is archived: SDKs return the default in your code'];
    case 'disabled':
      return ['the flag is off'];
    case 'target': {
      const variation = flag.variations.find(({ id }) => id === result.variationId);
      const target = variation ? nameOfVariation(flag, variation.id) : 'a variation that does not exist';
      return [`${keyId} is a target of ${target}`];
    }
    default: {
      const held = rules.at(-1)?.holds === true;
      return [
        ...rules.map((rule) => `rule ${rule.index + 1} "${rule.name}" ${ruleText(rule)}`),
        ...(held ? [] : [rules.length === 0 ? 'the flag has no rules' : 'no rule matches']),
        ...(bucketing ? [bucketingText(bucketing)] : []),
      ];
    }
  }
}

function ruleText({ holds, conditions }: RuleAnswer): string {
  if (holds)
    return conditions.length === 0 ? 'matches everyone' : `matches: ${conditions.map(conditionText).join('; ')}`;
  const failed = conditions.at(-1);
  return `does not match: ${failed ? conditionText(failed) : ''}`;
}

function conditionText({ condition, holds, text, segments = [] }: ConditionAnswer): string {
  const names = new Map(segments.map(({ id, name }) => [id, name]));
  const written = formatCondition(condition, (id) => names.get(id) ?? id);
  if (isSegmentCondition(condition)) {
    // If a segment contains the user, that one is enough.
    const telling = segments.find(({ contains }) => contains);
    const named = (telling ? [telling] : segments).map(segmentText).join(', ') || 'no segment is named';
    return condition.property === NOT_IN_SEGMENT || !holds || telling ? `${written} (${named})` : written;
  }
  const found = text === undefined || text === null ? 'is missing' : `is ${JSON.stringify(text)}`;
  return `${written} (${condition.property} ${found})`;
}

function segmentText({ name, contains, by, rules }: SegmentAnswer): string {
  if (by === 'excluded') return `${name} excludes the user`;
  if (by === 'included') return `${name} includes the user`;
  if (by === 'no such segment') return `there is no segment ${name}`;
  if (!contains && rules.length === 0) return `${name} does not include the user`;
  return rules
    .slice(contains ? -1 : 0)
    .map((rule) => `rule ${rule.index + 1} of ${name} ${ruleText(rule)}`)
    .join(', ');
}

function bucketingText({ attribute, text, bucket, share }: Bucketing): string {
  const percent = (part: number) => `${Math.round(part * 10_000) / 100} %`;
  const where = share ? `between ${percent(share[0])} and ${percent(share[1])}` : 'outside of all shares';
  return `${attribute} ${JSON.stringify(text)} is at ${percent(bucket)} of the users, ${where}`;
}
