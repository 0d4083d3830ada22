import type { Flag } from '../flags/flag.ts';
import type { User } from '../flags/user.ts';
import { CompiledDocument } from './compiledDocument.ts';
import { type ConditionContext, compileConditions, segmentIdsOf } from './condition.ts';
import { type EvaluationReason, Outcome, outcomeOfVariation } from './outcome.ts';
import { compileRollout } from './rollout.ts';
import type { CompiledSegment } from './segment.ts';

/** A flag, compiled for evaluation. */
export interface CompiledFlag extends CompiledDocument<'flag'> {
  /** The segments that its rules use. */
  readonly segments: readonly CompiledSegment[];
  evaluate(user: User): Outcome;
}

/**
 * Compiles a flag. The first of these that applies selects the user's variation (FeatBit `Evaluator`):
 *
 * - archived: no variation
 * - off: the disabled variation
 * - the first target list that names the user
 * - the rollout of the first rule whose conditions all match; without a share for the user, evaluation also ends here
 * - the default rollout
 *
 * `evaluate` throws `KeyIdMissing` if a condition or a rollout needs the key id of a user without one.
 *
 * @param segments those that its rules use
 */
export function compileFlag(
  flag: Flag,
  context: ConditionContext,
  segments: readonly CompiledSegment[] = [],
): CompiledFlag {
  const compiled = (evaluate: CompiledFlag['evaluate']) =>
    Object.assign(new CompiledDocument('flag', flag), { segments, evaluate });
  if (flag.isArchived) {
    const none = new Outcome(flag, { variationId: null, value: null, ...ARCHIVED, sendToExperiment: false });
    return compiled(() => none);
  }
  if (!flag.isEnabled) {
    const disabled = outcomeOfVariation(flag, flag.disabledVariationId, DISABLED, false);
    return compiled(() => disabled);
  }
  const targeted = compileTargets(flag);
  const rules = compileRules(flag, context);
  const fallthrough = compileRollout(flag.fallthrough, FALLTHROUGH, flag);
  return compiled((user) => {
    const target = targeted.get(user.keyId);
    if (target) return target;
    for (const { holds, selector } of rules) if (holds(user)) return selector.outcomeFor(user);
    return fallthrough.outcomeFor(user);
  });
}

/** A separate function: `evaluate` keeps all variables in its scope, and would keep the context. */
function compileRules(flag: Flag, context: ConditionContext) {
  return flag.rules.map((rule, index) => ({
    holds: compileConditions(rule.conditions, `rules[${index}]`, context),
    selector: compileRollout(rule, { reason: rule.name, cause: 'rule' }, flag),
  }));
}

/** Ids of all segments a flag's rules refer to. */
export function referencedSegments(flag: Flag): ReadonlySet<string> {
  return new Set(flag.rules.flatMap((rule) => rule.conditions.flatMap(segmentIdsOf)));
}

/** Outcome by key id. If several lists name a user, the first counts. A user without a key id is in none. */
function compileTargets(flag: Flag): ReadonlyMap<string, Outcome> {
  const targeted = new Map<string, Outcome>();
  for (const { keyIds, variationId } of flag.targetUsers) {
    const outcome = outcomeOfVariation(flag, variationId, TARGETED, flag.exptIncludeAllTargets);
    for (const keyId of keyIds) if (!targeted.has(keyId)) targeted.set(keyId, outcome);
  }
  targeted.delete('');
  return targeted;
}

const ARCHIVED: EvaluationReason = { reason: 'flag archived', cause: 'archived' };
const DISABLED: EvaluationReason = { reason: 'flag disabled', cause: 'disabled' };
const TARGETED: EvaluationReason = { reason: 'targeted', cause: 'target' };
const FALLTHROUGH: EvaluationReason = { reason: 'default', cause: 'fallthrough' };
