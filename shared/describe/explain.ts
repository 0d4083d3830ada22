import { attributeReader, type MissingAttribute } from '../evaluation/attribute.ts';
import { bucketOf, includesAllOrNone, includesBucket, type Share } from '../evaluation/bucket.ts';
import { RE2 } from '../evaluation/compileOperator.ts';
import { compileConditions, segmentIdsOf } from '../evaluation/condition.ts';
import { expressionsOf } from '../evaluation/expressionLimits.ts';
import { CompiledFlag } from '../evaluation/flag.ts';
import type { InvalidCondition } from '../evaluation/invalidCondition.ts';
import type { Evaluation } from '../evaluation/outcome.ts';
import type { Predicate } from '../evaluation/predicate.ts';
import { compileSegment } from '../evaluation/segment.ts';
import type { Flag } from '../flags/flag.ts';
import type { Condition, Rollout } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { isBlank, type User } from '../flags/user.ts';

/** An evaluated condition and its result. */
export interface ConditionAnswer {
  readonly condition: Condition;
  readonly holds: boolean;
  /** The user's text. Null or undefined if it is missing. Absent for a condition on segments. */
  readonly text?: string | null | undefined;
  /** For a condition on segments: each of them. */
  readonly segments?: readonly SegmentAnswer[];
}

/** Whether a segment contains a user, and why. */
export interface SegmentAnswer {
  readonly id: string;
  readonly name: string;
  readonly contains: boolean;
  readonly by: 'excluded' | 'included' | 'rule' | 'no rule' | 'no such segment';
  /** Its evaluated rules. */
  readonly rules: readonly RuleAnswer[];
}

/** An evaluated rule, and its conditions up to the first that does not match. */
export interface RuleAnswer {
  /** Index of the rule, from 0. */
  readonly index: number;
  readonly name: string;
  readonly holds: boolean;
  readonly conditions: readonly ConditionAnswer[];
}

/** How a rollout selected a variation. */
export interface Bucketing {
  /** The attribute that selects the bucket, and its text. */
  readonly attribute: string;
  readonly text: string;
  /** In [0,1]. */
  readonly bucket: number;
  /** The share that includes the bucket. Undefined if there is none. */
  readonly share: Share | undefined;
}

/** A user's result for a flag, and every step that led to it. */
export interface Explanation {
  readonly key: string;
  readonly result: Evaluation;
  /** The evaluated rules. If one matched, it is the last. */
  readonly rules: readonly RuleAnswer[];
  /** Present if the user's bucket decided. */
  readonly bucketing?: Bucketing;
  /** Evaluated conditions with an unintended effect. */
  readonly invalidConditions: readonly InvalidCondition[];
}

/** Explains a flag's evaluation for a user. The result equals that of `CompiledFlag.evaluate`. */
export function explainFlag(
  flag: Flag,
  user: User,
  segments: readonly Segment[],
  missingAttribute: MissingAttribute = 'empty',
): Explanation {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const invalidConditions: InvalidCondition[] = [];
  const compiled = new Map<Segment, Predicate>();
  const context = contextOf(() => {});
  const { variationId, value, reason, cause, sendToExperiment } = new CompiledFlag(flag, context).evaluate(user);
  const result = { variationId, value, reason, cause, sendToExperiment };
  if (['archived', 'disabled', 'target'].includes(result.cause)) {
    return { key: flag.key, result, rules: [], invalidConditions: [] };
  }
  const rules = rulesUpToMatch(flag.rules, 'flag', flag.key);
  const last = rules.at(-1);
  const bucketing = bucketingOf(flag, (last?.holds && flag.rules[last.index]) || flag.fallthrough, user);
  return { key: flag.key, result, rules, ...(bucketing ? { bucketing } : {}), invalidConditions };

  function rulesUpToMatch(
    all: readonly { readonly name: string; readonly conditions: readonly Condition[] }[],
    kind: InvalidCondition['kind'],
    id: string,
  ): RuleAnswer[] {
    const answers: RuleAnswer[] = [];
    const { over } = expressionsOf(all, RE2);
    for (const [index, rule] of all.entries()) {
      const conditions: ConditionAnswer[] = [];
      for (const [place, condition] of rule.conditions.entries()) {
        conditions.push(answerOf(condition, { kind, id, path: `rules[${index}].conditions[${place}]` }, over));
        if (!conditions.at(-1)?.holds) break;
      }
      const holds = conditions.every((answer) => answer.holds);
      answers.push({ index, name: rule.name, holds, conditions });
      if (holds) break;
    }
    return answers;
  }

  function answerOf(
    condition: Condition,
    where: Pick<InvalidCondition, 'kind' | 'id' | 'path'>,
    over: ReadonlySet<Condition>,
  ): ConditionAnswer {
    const report = (_path: string, message: string) => invalidConditions.push({ ...where, message });
    const holds = compileConditions([condition], '', { ...contextOf(report), over })(user);
    const ids = segmentIdsOf(condition);
    return ids.length === 0
      ? { condition, holds, text: attributeReader(condition.property)(user) }
      : { condition, holds, segments: ids.map(segmentAnswer) };
  }

  function segmentAnswer(id: string): SegmentAnswer {
    const segment = byId.get(id);
    if (!segment) return { id, name: id, contains: false, by: 'no such segment', rules: [] };
    const { keyId } = user;
    const named = { id, name: segment.name };
    if (segment.excluded.includes(keyId)) return { ...named, contains: false, by: 'excluded', rules: [] };
    if (segment.included.includes(keyId)) return { ...named, contains: true, by: 'included', rules: [] };
    const answers = rulesUpToMatch(segment.rules, 'segment', id);
    const contains = answers.at(-1)?.holds === true;
    return { ...named, contains, by: contains ? 'rule' : 'no rule', rules: answers };
  }

  function contextOf(report: (path: string, message: string) => void) {
    const segment = (id: string) => {
      const found = byId.get(id);
      if (!found) return undefined;
      const known = compiled.get(found);
      const contains = known ?? compileSegment(found, { missingAttribute, engine: RE2, report: () => {} }).contains;
      if (!known) compiled.set(found, contains);
      return contains;
    };
    return { missingAttribute, engine: RE2, segment, report, onSkipped: report };
  }
}

/** The bucketing of a rollout. Undefined if all users get the same variation. */
function bucketingOf(flag: Flag, { dispatchKey, variations }: Rollout, user: User): Bucketing | undefined {
  if (variations.every(({ rollout }) => includesAllOrNone(rollout))) return undefined;
  const attribute = isBlank(dispatchKey ?? '') ? 'keyId' : (dispatchKey ?? 'keyId');
  const text = attributeReader(attribute)(user) ?? '';
  const bucket = bucketOf(flag.key + text);
  return { attribute, text, bucket, share: variations.find(({ rollout }) => includesBucket(rollout, bucket))?.rollout };
}
