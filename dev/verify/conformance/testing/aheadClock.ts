import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { Clock } from '../../../emulator/clock.ts';

const STEP_MS = 1_000;

/**
 * The machine's clock, which a test sets ahead: what falls due on the way is run at once. As long as it stands,
 * `Date.now()` of everything in this process, functions and SDKs included, is its time.
 */
export class AheadClock implements Clock {
  readonly #machine = Date.now.bind(Date);
  readonly #timers = new Map<() => void, number>();
  readonly #spy = jest.spyOn(Date, 'now').mockImplementation(() => this.now());
  #aheadMs = 0;

  now(): number {
    return this.#machine() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(() => due(), delayMs);
    timer.unref();
    const cancel = () => {
      clearTimeout(timer);
      this.#timers.delete(due);
    };
    const due = () => {
      cancel();
      run();
    };
    this.#timers.set(due, this.now() + delayMs);
    return cancel;
  }

  /**
   * Lets time go by twenty times as fast: what repeats does so as often as it would, and what is at work goes on meanwhile,
   * so that it does not run out of its time.
   */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await sleep(STEP_MS / 20);
      this.#aheadMs += Math.min(left, STEP_MS);
      for (const [due, at] of [...this.#timers]) if (at <= this.now()) due();
    }
  }

  /** Lets time go by at once: what is due meanwhile runs late, and what repeats does so once. */
  jump(ms: number): void {
    this.#aheadMs += ms;
    for (const [due, at] of [...this.#timers]) if (at <= this.now()) due();
  }

  release(): void {
    this.#spy.mockRestore();
  }
}
