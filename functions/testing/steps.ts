import { Random } from '../../shared/testing/random.ts';

/** An interleaving of asynchronous tasks, one step at a time, in an order from a seed, with its own clock. */
export interface Steps {
  /** Unix milliseconds. It advances only between steps. */
  readonly now: () => number;
  /** A random number in [0,1), from the seed. */
  readonly random: () => number;
  /** Waits for a turn, at least until this time has passed. */
  readonly turn: (afterMs?: number) => Promise<void>;
  /** Takes a turn. No other task runs until the work is done. */
  readonly step: <T>(work: () => Promise<T>) => Promise<T>;
  /** Schedules turns until all tasks are done. */
  readonly run: (tasks: readonly Promise<unknown>[]) => Promise<void>;
}

/** Upper bound for the wait of a ready task. The service relies on finite request times. */
const LONGEST_WAIT_MS = 60;

/** @param longestStepMs maximum time that a step advances the clock */
export function createSteps(seed: number, longestStepMs: number, start: number): Steps {
  const choices = new Random(seed);
  const random = () => choices.next();
  const waiting: { readonly notBefore: number; readonly go: () => void }[] = [];
  let clock = start;
  let working = 0;

  const turn = (afterMs = 0) =>
    new Promise<void>((go) => {
      waiting.push({ notBefore: clock + Math.ceil(afterMs), go });
    });

  const giveTurn = () => {
    const earliest = Math.min(...waiting.map(({ notBefore }) => notBefore));
    clock = Math.max(clock, earliest);
    const ready = waiting.filter(({ notBefore }) => notBefore <= clock);
    const overdue = ready.find(({ notBefore }) => notBefore < clock - LONGEST_WAIT_MS);
    const chosen = overdue ?? ready[Math.floor(random() * ready.length)];
    if (!chosen) return;
    waiting.splice(waiting.indexOf(chosen), 1);
    clock += Math.floor(random() * longestStepMs);
    chosen.go();
  };

  return {
    now: () => clock,
    random,
    turn,
    step: async (work) => {
      await turn();
      working++;
      try {
        return await work();
      } finally {
        working--;
      }
    },
    run: async (tasks) => {
      let isDone = false;
      const all = Promise.all(tasks).finally(() => {
        isDone = true;
      });
      all.catch(() => {});
      while (!isDone) {
        for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
        if (working === 0 && waiting.length > 0) giveTurn();
      }
      await all;
    },
  };
}

/** A request or post of a process that may be killed. */
export type Step = <T>(work: () => Promise<T>) => Promise<T>;

/** A process that may be killed. */
export interface Lifetime {
  readonly living: Step;
  readonly isKilled: () => boolean;
}

/**
 * A process that is killed at a step. An odd number means before a request or post, an even one after it, before the
 * response.
 */
export function untilKilled(steps = Number.POSITIVE_INFINITY): Lifetime {
  let left = steps;
  return {
    isKilled: () => left <= 0,
    living: async (work) => {
      if (--left <= 0) throw new Error('killed');
      const result = await work();
      if (--left <= 0) throw new Error('killed');
      return result;
    },
  };
}
