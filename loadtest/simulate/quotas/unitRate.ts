/** How far unused units are kept, in milliseconds. */
const KEPT_MS = 1_000;

/** Units a second that whoever needs some waits for, as requests to a table that are throttled and sent again. */
export class UnitRate {
  readonly #msPerUnit: number;
  #servedUntil = -KEPT_MS;

  constructor(unitsPerSecond: number) {
    this.#msPerUnit = 1_000 / unitsPerSecond;
  }

  /** Takes units. @returns how long they are waited for, in milliseconds */
  take(nowMs: number, units: number): number {
    this.#servedUntil = Math.max(this.#servedUntil, nowMs - KEPT_MS) + units * this.#msPerUnit;
    return Math.max(0, this.#servedUntil - nowMs);
  }
}
