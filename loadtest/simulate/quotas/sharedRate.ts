import type { RateLimit } from '../../../dev/emulator/throttling/tokenBucket.ts';

/** Over how long the rate of those who ask one by one is measured, in milliseconds. */
const WINDOW_MS = 1_000;

/**
 * A token bucket that is shared with a steady background, such as pings: too many to be an event each. While there are
 * tokens the background takes its own; when they are used up, both are refused in proportion to how much they ask for.
 * Without a background it is the emulator's (dev/emulator/throttling/tokenBucket.ts).
 */
export class SharedRate {
  /** Of the background, how many have asked and how many were refused. */
  readonly background = { asked: 0, refused: 0 };
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at = 0;
  #backgroundPerSecond = 0;
  #windowAt = 0;
  #askedInWindow = 0;
  #othersPerSecond = 0;

  constructor({ perSecond, burst }: RateLimit) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
  }

  /** Sets what the background asks for from now on. */
  setBackground(nowMs: number, perSecond: number): void {
    this.#fill(nowMs);
    this.#backgroundPerSecond = perSecond;
  }

  /** Takes a token. @returns whether there was one */
  take(nowMs: number): boolean {
    this.#fill(nowMs);
    this.#askedInWindow++;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #fill(nowMs: number): void {
    this.#measureOthers(nowMs);
    let left = Math.max(0, nowMs - this.#at);
    this.#at = Math.max(this.#at, nowMs);
    const demand = this.#backgroundPerSecond;
    if (this.#tokens >= 1) {
      const gain = this.#perSecond - demand;
      const lasts = gain < 0 ? ((this.#tokens - 1) * 1_000) / -gain : left;
      const full = Math.min(left, lasts);
      this.#tokens = Math.min(this.#burst, this.#tokens + (full * gain) / 1_000);
      this.background.asked += (full * demand) / 1_000;
      left -= full;
    }
    if (left <= 0) return;
    const share = Math.min(1, this.#perSecond / (demand + this.#othersPerSecond));
    this.#tokens = Math.min(this.#burst, this.#tokens + (left * (this.#perSecond - demand * share)) / 1_000);
    this.background.asked += (left * demand) / 1_000;
    this.background.refused += (left * demand * (1 - share)) / 1_000;
  }

  #measureOthers(nowMs: number): void {
    const elapsed = nowMs - this.#windowAt;
    if (elapsed < WINDOW_MS) return;
    this.#othersPerSecond = (this.#askedInWindow * 1_000) / elapsed;
    this.#askedInWindow = 0;
    this.#windowAt = nowMs;
  }
}
