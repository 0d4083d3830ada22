import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionSender } from './connectionSender.ts';

/**
 * How long unused turns are kept, in milliseconds: enough to compensate for a late timer. Turns of a longer pause are lost, so
 * that consecutive calls do not each start with a burst.
 */
const BURST_MS = 50;

/**
 * A rate limiter that grants turns in order. After a pause, the turns of 50 ms (at least one) come at once. An instance of a
 * function has one for all of its calls, at a rate of infra/config/postRates.ts.
 */
export class Pace {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #effects: Pick<Effects, 'monotonic' | 'pause'>;
  /** Due time of the last granted turn. */
  #last = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number, effects: Pick<Effects, 'monotonic' | 'pause'>) {
    this.#intervalMs = 1_000 / perSecond;
    this.#burstMs = Math.max(BURST_MS, this.#intervalMs);
    this.#effects = effects;
  }

  /** Waits for the next turn. */
  async turn(): Promise<void> {
    const now = this.#effects.monotonic();
    this.#last = Math.max(this.#last, now - this.#burstMs) + this.#intervalMs;
    if (this.#last > now) await this.#effects.pause(this.#last - now);
  }
}

/** A sender whose messages wait for their turn. */
export function paced(sender: ConnectionSender, pace: Pace): ConnectionSender {
  return {
    async post(...message) {
      await pace.turn();
      return sender.post(...message);
    },
  };
}
