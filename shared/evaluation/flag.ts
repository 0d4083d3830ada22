import type { Flag } from '../flags/flag.ts';
import type { User } from '../flags/user.ts';
import { CompiledDocument } from './compiledDocument.ts';
import { type ConditionContext, compileConditions, segmentIdsOf } from './condition.ts';
import { expressionsOf } from './expressionLimits.ts';
import { type EvaluationReason, Outcome, outcomeOfVariation, type VariationSelector } from './outcome.ts';
import { compileRollout } from './rollout.ts';
import type { CompiledSegment } from './segment.ts';

/** A flag, compiled for evaluation. A class with all it needs: closures would take twice the memory, and more time. */
export class CompiledFlag extends CompiledDocument<'flag'> {
  /** The segments that its rules use. */
  readonly segments: readonly CompiledSegment[];
  readonly #targeted: ReadonlyMap<string, Outcome>;
  readonly #rules: ReturnType<typeof compileRules>;
  readonly #fallthrough: VariationSelector;

  /** @param segments those that its rules use */
  constructor(flag: Flag, context: ConditionContext, segments: readonly CompiledSegment[] = []) {
    super('flag', flag);
    this.segments = segments;
    const isOn = flag.isEnabled && !flag.isArchived;
    this.#targeted = isOn ? compileTargets(flag) : NO_TARGETS;
    this.#rules = isOn ? compileRules(flag, context) : [];
    this.#fallthrough = isOn ? compileRollout(flag.fallthrough, FALLTHROUGH, flag) : outcomeOfOff(flag);
  }

  /**
   * The first of these that applies selects the user's variation (FeatBit `Evaluator`):
   *
   * - archived: no variation
   * - off: the disabled variation
   * - the first target list that names the user
   * - the rollout of the first rule whose conditions all match; without a share for the user, evaluation also ends here
   * - the default rollout
   *
   * @throws {KeyIdMissing} if a condition or a rollout needs the key id of a user without one
   */
  evaluate(user: User): Outcome {
    const target = this.#targeted.get(user.keyId);
    if (target) return target;
    for (const { holds, selector } of this.#rules) if (holds(user)) return selector.outcomeFor(user);
    return this.#fallthrough.outcomeFor(user);
  }
}

function outcomeOfOff(flag: Flag): Outcome {
  if (!flag.isArchived) return outcomeOfVariation(flag, flag.disabledVariationId, DISABLED, false);
  return new Outcome(flag, { variationId: null, value: null, ...ARCHIVED, sendToExperiment: false });
}

function compileRules(flag: Flag, context: ConditionContext) {
  const { over } = expressionsOf(flag.rules, context.engine);
  return flag.rules.map((rule, index) => ({
    holds: compileConditions(rule.conditions, `rules[${index}]`, { ...context, over }),
    selector: compileRollout(rule, { reason: rule.name, cause: 'rule' }, flag),
  }));
}

/** Ids of all segments a flag's rules refer to. */
export function referencedSegments(flag: Flag): ReadonlySet<string> {
  return new Set(flag.rules.flatMap((rule) => rule.conditions.flatMap(segmentIdsOf)));
}

/** Outcome by key id. If several lists name a user, the first counts. A user without a key id is in none. */
function compileTargets(flag: Flag): ReadonlyMap<string, Outcome> {
  if (flag.targetUsers.length === 0) return NO_TARGETS;
  const targeted = new Map<string, Outcome>();
  for (const { keyIds, variationId } of flag.targetUsers) {
    const outcome = outcomeOfVariation(flag, variationId, TARGETED, flag.exptIncludeAllTargets);
    for (const keyId of keyIds) if (!targeted.has(keyId)) targeted.set(keyId, outcome);
  }
  targeted.delete('');
  return targeted;
}

/** One for all: each would take memory of its own. */
const NO_TARGETS: ReadonlyMap<string, Outcome> = new Map();

const ARCHIVED: EvaluationReason = { reason: 'flag archived', cause: 'archived' };
const DISABLED: EvaluationReason = { reason: 'flag disabled', cause: 'disabled' };
const TARGETED: EvaluationReason = { reason: 'targeted', cause: 'target' };
const FALLTHROUGH: EvaluationReason = { reason: 'default', cause: 'fallthrough' };
