import type { Clock } from '../clock.ts';

interface Timer {
  readonly dueAt: number;
  readonly run: () => void;
}

/** A clock that stands still until `advance` moves it, firing what falls due on the way, in order. */
export interface ManualClock extends Clock {
  advance(ms: number): void;
}

/** Makes a {@link ManualClock} that starts at `startMs` (unix milliseconds). */
export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let now = startMs;
  const timers = new Set<Timer>();
  const next = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  return {
    now: () => now,
    after(delayMs, run) {
      const timer = { dueAt: now + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (let timer = next(until); timer; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.dueAt);
        timer.run();
      }
      now = until;
    },
  };
}
