import { randomUUID } from 'node:crypto';

/** Clock, randomness and waiting, so that tests decide them. */
export interface Effects {
  /** Unix milliseconds; may be wrong, and be set forth and back. */
  readonly now: () => number;
  /** Milliseconds since some moment of this process, by a clock that nobody sets. */
  readonly monotonic: () => number;
  /** In [0,1). */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly pause: (ms: number) => Promise<void>;
  /** Aborts a request that takes longer. */
  readonly timeout: (ms: number) => AbortSignal;
}

/** The effects of this machine. */
export const systemEffects: Effects = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  uuid: randomUUID,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  timeout: (ms) => AbortSignal.timeout(ms),
};
