import type { Flag } from '../flags/flag.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import type { User } from '../flags/user.ts';

/** What decided on a variation: `split` where it was drawn by a percentage, whether by a rule or the fallthrough. */
type Cause = 'archived' | 'disabled' | 'target' | 'rule' | 'split' | 'fallthrough';

/** The result of evaluating a flag for a user. */
export interface Evaluation {
  /** Null when the flag is archived or the variation's id is unknown; `""` when no share of a rollout includes the user. */
  readonly variationId: string | null;
  readonly value: string | null;
  /** `flag archived`, `flag disabled`, `targeted`, the rule's name, or `default`. */
  readonly reason: string;
  readonly cause: Cause;
  readonly sendToExperiment: boolean;
}

/** Why an evaluation came out so: in words for SDKs, and as what it was, since a rule may have any name. */
export type EvaluationReason = Pick<Evaluation, 'reason' | 'cause'>;

/** Selects a user's outcome: the same for all users, or by a percentage rollout. */
export interface VariationSelector {
  outcomeFor(user: User): Outcome;
}

/** One possible result of a flag, with the JSON that client-side SDKs receive for it. */
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

  /** The flag as a member of `featureFlags` in a client-side data-sync: serialised when first sent, kept for all users. */
  get clientJson(): string {
    this.#clientJson ??= JSON.stringify({
      id: this.#flag.key,
      variation: this.value,
      variationType: this.#flag.variationType,
      variationId: this.variationId,
      matchReason: this.reason,
      variationOptions: this.#flag.variations.map(({ id, value }) => ({ id, value })),
      sendToExperiment: this.sendToExperiment,
      timestamp: parseTimestamp(this.#flag.updatedAt) ?? 0,
    });
    return this.#clientJson;
  }
}

/** The outcome of one of a flag's variations, by its id; an unknown id gives no variation. */
export function outcomeOfVariation(flag: Flag, id: string, why: EvaluationReason, sendToExperiment: boolean): Outcome {
  const variation = flag.variations.find((candidate) => candidate.id === id);
  const { id: variationId = null, value = null } = variation ?? {};
  return new Outcome(flag, { variationId, value, ...why, sendToExperiment });
}
