import { Random } from '../../shared/testing/random.ts';

/** An interleaving: asynchronous tasks, one step at a time, in an order that a seed decides, by a clock of its own. */
export interface Steps {
  /** Unix milliseconds; moves only from step to step. */
  readonly now: () => number;
  /** A random number in [0,1), from the seed. */
  readonly random: () => number;
  /** Waits for the turn to go on, which comes after this time at the earliest. */
  readonly turn: (afterMs?: number) => Promise<void>;
  /** Takes a turn, and lets nobody else have one until the work is done. */
  readonly step: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives out turns until all tasks are done. */
  readonly run: (tasks: readonly Promise<unknown>[]) => Promise<void>;
}

/** Nobody who could go on waits longer than about this: the service relies on its requests not taking for ever. */
const LONGEST_WAIT_MS = 60;

/** @param longestStepMs how far the clock moves with a step, at most */
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
