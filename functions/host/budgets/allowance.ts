/** Time in milliseconds whose allowance a client may use at once. */
export const BURST_MS = 10_000;

/** A token bucket, stored as the time at which it is full again. */
export class Allowance {
  readonly #msEach: number;
  #fullAt = 0;

  /** @param perSecond allowed units a second, on average. Those of {@link BURST_MS} are allowed at once */
  constructor(perSecond: number) {
    this.#msEach = 1_000 / perSecond;
  }

  /** @param now milliseconds on the monotonic clock @returns false if the allowance is used up. Nothing is taken then */
  take(units: number, now: number): boolean {
    const fullAt = Math.max(this.#fullAt, now) + units * this.#msEach;
    if (fullAt - now > BURST_MS) return false;
    this.#fullAt = fullAt;
    return true;
  }

  /** Whether nothing was used for so long that it is as new. */
  isFull(now: number): boolean {
    return this.#fullAt <= now;
  }
}
