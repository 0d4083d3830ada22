import type { Flag, Variation } from '../flags/flag.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import type { User } from '../flags/user.ts';

/** What selected a variation. `split` means a percentage, in a rule or by default. */
type Cause = 'archived' | 'disabled' | 'target' | 'rule' | 'split' | 'fallthrough';

/** The result of evaluating a flag for a user. */
export interface Evaluation {
  /** Null if the flag is archived or the variation's id is unknown. `""` if no share of a rollout includes the user. */
  readonly variationId: string | null;
  readonly value: string | null;
  /** `flag archived`, `flag disabled`, `targeted`, the rule's name, or `default`. */
  readonly reason: string;
  readonly cause: Cause;
  readonly sendToExperiment: boolean;
}

/** The reason of an outcome: the text for SDKs, and its kind, because a rule may have any name. */
export type EvaluationReason = Pick<Evaluation, 'reason' | 'cause'>;

/** Selects a user's outcome: the same for all users, or by a percentage rollout. */
export interface VariationSelector {
  outcomeFor(user: User): Outcome;
}

/** Maximum number of variations of a flag whose JSON is kept for each outcome. */
const KEPT_VARIATIONS = 100;

/** One possible outcome of a flag, with its JSON for client-side SDKs. */
export class Outcome implements Evaluation, VariationSelector {
  readonly variationId: string | null;
  readonly value: string | null;
  readonly reason: string;
  readonly cause: Cause;
  readonly sendToExperiment: boolean;
  readonly #flag: Flag;
  #clientJson: string | undefined;

  constructor(flag: Flag, evaluation: Evaluation) {
    this.variationId = evaluation.variationId;
    this.value = evaluation.value;
    this.reason = evaluation.reason;
    this.cause = evaluation.cause;
    this.sendToExperiment = evaluation.sendToExperiment;
    this.#flag = flag;
  }

  outcomeFor(): Outcome {
    return this;
  }

  /**
   * The flag as an element of `featureFlags` in a client-side data-sync. Serialized on first use, then shared by all
   * users. With many variations it is not kept: it lists all of them, and each share has an outcome.
   */
  get clientJson(): string {
    if (this.#flag.variations.length > KEPT_VARIATIONS) return this.#serialize();
    this.#clientJson ??= this.#serialize();
    return this.#clientJson;
  }

  #serialize(): string {
    return JSON.stringify({
      id: this.#flag.key,
      variation: this.value,
      variationType: this.#flag.variationType,
      variationId: this.variationId,
      matchReason: this.reason,
      variationOptions: this.#flag.variations.map(({ id, value }) => ({ id, value })),
      sendToExperiment: this.sendToExperiment,
      timestamp: parseTimestamp(this.#flag.updatedAt) ?? 0,
    });
  }
}

/** The outcome of a variation by its id. An unknown id gives no variation. */
export function outcomeOfVariation(flag: Flag, id: string, why: EvaluationReason, sendToExperiment: boolean): Outcome {
  const variation = variationOf(flag, id);
  const { id: variationId = null, value = null } = variation ?? {};
  return new Outcome(flag, { variationId, value, ...why, sendToExperiment });
}

/** Maximum number of variations that are looked through for each share. For more, a map is worth its memory. */
const FEW = 16;
const BY_ID = new WeakMap<Flag, ReadonlyMap<string, Variation>>();

function variationOf(flag: Flag, id: string): Variation | undefined {
  if (flag.variations.length <= FEW) return flag.variations.find((candidate) => candidate.id === id);
  // The first one of an id counts.
  const byId = BY_ID.get(flag) ?? new Map(flag.variations.toReversed().map((variation) => [variation.id, variation]));
  BY_ID.set(flag, byId);
  return byId.get(id);
}
