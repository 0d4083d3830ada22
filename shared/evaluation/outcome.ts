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
export interface Outcome extends Evaluation {
  /** The flag as a member of `featureFlags` in a client-side data-sync, serialised once. */
  readonly clientJson: string;
}

/** Makes the outcomes of one flag; each is serialised when it is first sent and kept for all later users. */
export class OutcomeFactory {
  readonly #flag: Flag;
  readonly #head: string;
  readonly #options: string;
  readonly #updatedAt: number;

  constructor(flag: Flag, updatedAt: number) {
    this.#flag = flag;
    this.#head = `{"id":${JSON.stringify(flag.key)},"variation":`;
    this.#options = JSON.stringify(flag.variations.map(({ id, value }) => ({ id, value })));
    this.#updatedAt = updatedAt;
  }

  /** The outcome of a variation by its id; an unknown id comes to no variation at all. */
  forVariation(variationId: string, reason: string, sendToExperiment: boolean): Outcome {
    const variation = this.#flag.variations.find(({ id }) => id === variationId);
    return this.of(variation?.id ?? null, variation?.value ?? null, reason, sendToExperiment);
  }

  of(variationId: string | null, value: string | null, reason: string, sendToExperiment: boolean): Outcome {
    let json: string | undefined;
    const serialise = () =>
      `${this.#head}${JSON.stringify(value)},"variationType":"${this.#flag.variationType}","variationId":${JSON.stringify(
        variationId,
      )},"matchReason":${JSON.stringify(reason)},"variationOptions":${this.#options},"sendToExperiment":${sendToExperiment},"timestamp":${this.#updatedAt}}`;
    return {
      variationId,
      value,
      reason,
      sendToExperiment,
      get clientJson() {
        json ??= serialise();
        return json;
      },
    };
  }
}
