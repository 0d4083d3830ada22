import type { Flag } from '../flags/flag.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import type { User } from '../flags/user.ts';
import { wireJson } from '../flags/wireDocument.ts';
import { type ConditionContext, compileConditions, segmentIdsOf } from './condition.ts';
import { type EvaluationReason, Outcome, outcomeOfVariation, type VariationSelector } from './outcome.ts';
import type { Predicate } from './predicate.ts';
import { compileRollout } from './rollout.ts';
import type { CompiledSegment } from './segment.ts';

/** A flag, compiled for evaluation. */
export interface CompiledFlag {
  readonly document: Flag;
  /** Unix milliseconds: the item's version on the wire. */
  readonly updatedAt: number;
  /** The segments that its rules use. */
  readonly segments: readonly CompiledSegment[];
  evaluate(user: User): Outcome;
  /** The document as JSON, serialized once for all server-side SDKs. */
  readonly json: string;
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
  if (flag.isArchived) {
    const none = { variationId: null, value: null, ...ARCHIVED, sendToExperiment: false };
    return new EvaluableFlag(flag, segments, NO_TARGETS, [], new Outcome(flag, none));
  }
  if (!flag.isEnabled) {
    const disabled = outcomeOfVariation(flag, flag.disabledVariationId, DISABLED, false);
    return new EvaluableFlag(flag, segments, NO_TARGETS, [], disabled);
  }
  const rules = flag.rules.map((rule, index) => ({
    holds: compileConditions(rule.conditions, `rules[${index}]`, context),
    selector: compileRollout(rule, { reason: rule.name, cause: 'rule' }, flag),
  }));
  return new EvaluableFlag(
    flag,
    segments,
    compileTargets(flag),
    rules,
    compileRollout(flag.fallthrough, FALLTHROUGH, flag),
  );
}

/** Ids of all segments a flag's rules refer to. */
export function referencedSegments(flag: Flag): ReadonlySet<string> {
  return new Set(flag.rules.flatMap((rule) => rule.conditions.flatMap(segmentIdsOf)));
}

/** A compiled rule: its predicate and its rollout. */
interface CompiledRule {
  readonly holds: Predicate;
  readonly selector: VariationSelector;
}

class EvaluableFlag implements CompiledFlag {
  readonly document: Flag;
  readonly segments: readonly CompiledSegment[];
  readonly updatedAt: number;
  readonly #targeted: ReadonlyMap<string, Outcome>;
  readonly #rules: readonly CompiledRule[];
  readonly #fallthrough: VariationSelector;
  #json: string | undefined;

  constructor(
    document: Flag,
    segments: readonly CompiledSegment[],
    targeted: ReadonlyMap<string, Outcome>,
    rules: readonly CompiledRule[],
    fallthrough: VariationSelector,
  ) {
    this.document = document;
    this.segments = segments;
    this.updatedAt = parseTimestamp(document.updatedAt) ?? 0;
    this.#targeted = targeted;
    this.#rules = rules;
    this.#fallthrough = fallthrough;
  }

  evaluate(user: User): Outcome {
    const target = this.#targeted.get(user.keyId);
    if (target) return target;
    for (const { holds, selector } of this.#rules) if (holds(user)) return selector.outcomeFor(user);
    return this.#fallthrough.outcomeFor(user);
  }

  get json(): string {
    this.#json ??= wireJson(this.document);
    return this.#json;
  }
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

const NO_TARGETS: ReadonlyMap<string, Outcome> = new Map();

const ARCHIVED: EvaluationReason = { reason: 'flag archived', cause: 'archived' };
const DISABLED: EvaluationReason = { reason: 'flag disabled', cause: 'disabled' };
const TARGETED: EvaluationReason = { reason: 'targeted', cause: 'target' };
const FALLTHROUGH: EvaluationReason = { reason: 'default', cause: 'fallthrough' };
