import type { Effects } from '../../shared/runtime/effects.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';

/** A manual clock. Waits end when a test says so. */
export interface ManualClock extends Effects {
  now: () => number;
  random: () => number;
  /** Moves both clocks on, and ends the waits that are over. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock, without the monotonic one. */
  setBack(ms: number): void;
}

/** Lets all promises settle whose work needs no clock. */
export const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export function manualClock(start = Date.UTC(2026, 10, 29)): ManualClock {
  let [wall, steady] = [start, 1_000];
  const waits = new Set<{ readonly until: number; readonly act: () => void }>();
  const wait = (ms: number, act: () => void) => {
    const entry = { until: steady + ms, act };
    waits.add(entry);
    return () => waits.delete(entry);
  };
  return {
    ...systemEffects,
    now: () => wall,
    monotonic: () => steady,
    elapse: async () => {},
    pause: (ms) => new Promise((resolve) => wait(ms, resolve)),
    timeout: () => new AbortController().signal,
    onSilence: (ms, act) => wait(ms, act),
    setBack: (ms) => {
      wall -= ms;
    },
    pass: async (ms) => {
      await settle();
      const end = steady + ms;
      const next = () => [...waits].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
      for (let due = next(); due; due = next()) {
        wall += due.until - steady;
        steady = due.until;
        waits.delete(due);
        due.act();
        await settle();
      }
      wall += end - steady;
      steady = end;
      await settle();
    },
  };
}
