import { randomUUID } from 'node:crypto';

/** Clock, randomness and timers. Tests replace them. */
export interface Effects {
  /** Unix milliseconds. May be wrong, and may jump in both directions. */
  readonly now: () => number;
  /** Milliseconds since an arbitrary start, by a monotonic clock. */
  readonly monotonic: () => number;
  /** In [0,1). */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly pause: (ms: number) => Promise<void>;
  /** Waits until at least this time has passed on the monotonic clock: a timer may fire early. */
  readonly elapse: (ms: number) => Promise<void>;
  /** Aborts a request after a timeout. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Calls a function if no answer arrives in time, unless it is cancelled. */
  readonly onSilence: (ms: number, act: () => void) => () => void;
}

/** The effects of this machine. */
export const systemEffects: Effects = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  uuid: randomUUID,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  elapse: (ms) => elapse(systemEffects, ms),
  timeout: (ms) => AbortSignal.timeout(ms),
  onSilence,
};

/** Pauses until at least this time has passed on the monotonic clock, which is read after each pause. */
export async function elapse({ monotonic, pause }: Pick<Effects, 'monotonic' | 'pause'>, ms: number): Promise<void> {
  const until = monotonic() + ms;
  for (let left = ms; left > 0; left = until - monotonic()) await pause(Math.ceil(left));
}

/**
 * Calls a function if no answer arrives in time.
 *
 * After a paused process resumes (a busy machine, a frozen instance), Node runs timers before it reads sockets. A
 * simple timeout would give up an answer that has already arrived. This timeout therefore has two halves. A pause ends
 * at most one of them, and sockets are read before the call.
 *
 * @param ms timeout for an answer
 * @returns cancels the timeout; call it when the answer has arrived or is not needed
 */
export function onSilence(ms: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const lastHalf = () => {
    // Immediates run after readable sockets.
    immediate = setImmediate(act);
  };
  let timer = setTimeout(() => {
    timer = setTimeout(lastHalf, ms / 2);
  }, ms / 2);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
