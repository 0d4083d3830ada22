/**
 * The time of the emulator. It is a dependency, so that a test can advance it by hours at once.
 */
export interface Clock {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls `run` once after `delayMs`; the answer cancels it (a call that came too late does nothing). */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's clock. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    // Node's timers may come up to a millisecond early by this clock.
    const timer = setTimeout(run, delayMs + 1);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` is or becomes aborted. */
export function sleep(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal.addEventListener('abort', done);
  });
}
