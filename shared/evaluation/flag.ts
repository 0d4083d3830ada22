import type { Flag } from '../flags/flag.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import type { User } from '../flags/user.ts';
import { type ConditionContext, compileConditions, segmentIdsOf } from './condition.ts';
import { type Outcome, OutcomeFactory } from './outcome.ts';
import { compileRollout } from './rollout.ts';

/** A flag, ready to be evaluated for many users. */
export interface CompiledFlag {
  readonly document: Flag;
  /** Unix milliseconds: the item's version on the wire. */
  readonly updatedAt: number;
  readonly evaluate: (user: User) => Outcome;
  /** The document as JSON, serialised once for all server-side SDKs. */
  readonly json: string;
}

/**
 * Compiles a flag. A user gets, in this order: no variation when it is archived, the disabled variation when it is
 * off, the variation of the first target list that names the user, the rollout of the first rule whose conditions all
 * hold, the fallthrough's rollout (FeatBit `Evaluator`). A rollout that takes nobody never falls through.
 */
export function compileFlag(flag: Flag, context: ConditionContext): CompiledFlag {
  const updatedAt = parseTimestamp(flag.updatedAt) ?? 0;
  let json: string | undefined;
  return {
    document: flag,
    updatedAt,
    evaluate: compileEvaluation(flag, updatedAt, context),
    get json() {
      json ??= JSON.stringify(flag);
      return json;
    },
  };
}

/** Ids of all segments a flag's rules refer to. */
export function referencedSegments(flag: Flag): ReadonlySet<string> {
  return new Set(flag.rules.flatMap((rule) => rule.conditions.flatMap(segmentIdsOf)));
}

function compileEvaluation(flag: Flag, updatedAt: number, context: ConditionContext): (user: User) => Outcome {
  const outcomes = new OutcomeFactory(flag, updatedAt);
  if (flag.isArchived) {
    const archived = outcomes.of(null, null, 'flag archived', false);
    return () => archived;
  }
  if (!flag.isEnabled) {
    const disabled = outcomes.forVariation(flag.disabledVariationId, 'flag disabled', false);
    return () => disabled;
  }

  const targeted = compileTargets(flag, outcomes);
  const rolloutContext = { flagKey: flag.key, exptIncludeAllTargets: flag.exptIncludeAllTargets, outcomes };
  const rules = flag.rules.map((rule, index) => ({
    holds: compileConditions(rule.conditions, `rules[${index}]`, context),
    rollout: compileRollout(rule, rule.name, rolloutContext),
  }));
  const fallthrough = compileRollout(flag.fallthrough, 'default', rolloutContext);

  return (user) => {
    const target = targeted.get(user.keyId);
    if (target) return target;
    for (const rule of rules) if (rule.holds(user)) return rule.rollout(user);
    return fallthrough(user);
  };
}

/** Outcome by key id; of several lists that name a user the first counts. */
function compileTargets(flag: Flag, outcomes: OutcomeFactory): ReadonlyMap<string, Outcome> {
  const targeted = new Map<string, Outcome>();
  for (const { keyIds, variationId } of flag.targetUsers) {
    const outcome = outcomes.forVariation(variationId, 'targeted', flag.exptIncludeAllTargets);
    for (const keyId of keyIds) if (!targeted.has(keyId)) targeted.set(keyId, outcome);
  }
  return targeted;
}
