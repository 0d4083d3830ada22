import type { Flag } from '../flags/flag.ts';

/** What a flag comes to for a user. */
export interface Evaluation {
  /** Null when the flag is archived or the variation's id is unknown; `""` when no share of a rollout takes the user. */
  readonly variationId: string | null;
  readonly value: string | null;
  /** `flag archived`, `flag disabled`, `targeted`, the rule's name, or `default`. */
  readonly reason: string;
  readonly sendToExperiment: boolean;
}

/** One possible result of a flag, with the JSON that client-side SDKs receive for it. */
export class Outcome implements Evaluation {
  readonly variationId: string | null;
  readonly value: string | null;
  readonly reason: string;
  readonly sendToExperiment: boolean;
  readonly #flag: Flag;
  readonly #timestamp: number;
  #clientJson: string | undefined;

  constructor(evaluation: Evaluation, flag: Flag, timestamp: number) {
    this.variationId = evaluation.variationId;
    this.value = evaluation.value;
    this.reason = evaluation.reason;
    this.sendToExperiment = evaluation.sendToExperiment;
    this.#flag = flag;
    this.#timestamp = timestamp;
  }

  get clientJson(): string {
    this.#clientJson ??= JSON.stringify({
      id: this.#flag.key,
      variation: this.value,
      variationType: this.#flag.variationType,
      variationId: this.variationId,
      matchReason: this.reason,
      variationOptions: this.#flag.variations.map(({ id, value }) => ({ id, value })),
      sendToExperiment: this.sendToExperiment,
      timestamp: this.#timestamp,
    });
    return this.#clientJson;
  }
}

/** Makes the outcomes of one flag; each is serialised when it is first sent and kept for all later users. */
export class OutcomeFactory {
  readonly #flag: Flag;
  readonly #updatedAt: number;

  constructor(flag: Flag, updatedAt: number) {
    this.#flag = flag;
    this.#updatedAt = updatedAt;
  }

  /** The outcome of a variation by its id; an unknown id comes to no variation at all. */
  forVariation(variationId: string, reason: string, sendToExperiment: boolean): Outcome {
    const variation = this.#flag.variations.find(({ id }) => id === variationId);
    return this.of(variation?.id ?? null, variation?.value ?? null, reason, sendToExperiment);
  }

  of(variationId: string | null, value: string | null, reason: string, sendToExperiment: boolean): Outcome {
    return new Outcome({ variationId, value, reason, sendToExperiment }, this.#flag, this.#updatedAt);
  }
}
