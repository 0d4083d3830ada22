import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionSender } from './connectionSender.ts';

/**
 * How long unused turns are kept, in milliseconds: enough to compensate for a late timer. Turns of a longer pause are lost, so
 * that consecutive calls do not each start with a burst.
 */
const BURST_MS = 50;

/** See {@link createPace}. */
export type Pace = ReturnType<typeof createPace>;

/**
 * A rate limiter that grants turns in order. After a pause, the turns of 50 ms (at least one) come at once. An instance of a
 * function has one for all of its calls, at a rate of infra/config/postRates.ts.
 */
export function createPace(perSecond: number, { monotonic, pause }: Pick<Effects, 'monotonic' | 'pause'>) {
  const intervalMs = 1_000 / perSecond;
  /** Due time of the last granted turn. */
  let last = Number.NEGATIVE_INFINITY;
  return {
    /** Waits for the next turn. */
    async turn(): Promise<void> {
      const now = monotonic();
      last = Math.max(last, now - Math.max(BURST_MS, intervalMs)) + intervalMs;
      if (last > now) await pause(last - now);
    },
  };
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
