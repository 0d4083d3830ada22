import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionSender } from './connectionSender.ts';

/** How far unused turns are kept, in milliseconds: after a pause that much can be made up at once. */
const BURST_MS = 1_000;

/** Gives out turns at a rate, in the order in which they are asked for; those of a second's pause at once. */
export class Pace {
  readonly #intervalMs: number;
  readonly #effects: Pick<Effects, 'monotonic' | 'pause'>;
  /** When the last turn was due that was given out. */
  #last = Number.NEGATIVE_INFINITY;

  constructor(perSecond: number, effects: Pick<Effects, 'monotonic' | 'pause'>) {
    this.#intervalMs = 1_000 / perSecond;
    this.#effects = effects;
  }

  /** Waits for the next turn. */
  async turn(): Promise<void> {
    const now = this.#effects.monotonic();
    this.#last = Math.max(this.#last, now - BURST_MS) + this.#intervalMs;
    if (this.#last > now) await this.#effects.pause(this.#last - now);
  }
}

/** A sender whose messages each wait for their turn. */
export function paced(sender: ConnectionSender, pace: Pace): ConnectionSender {
  return {
    async post(connectionId, text) {
      await pace.turn();
      return sender.post(connectionId, text);
    },
  };
}
