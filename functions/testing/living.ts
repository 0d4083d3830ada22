/** What somebody does who may be killed: one request or post. */
export type Step = <T>(work: () => Promise<T>) => Promise<T>;

/** Somebody who may be killed. */
export interface Lifetime {
  readonly living: Step;
  readonly isKilled: () => boolean;
}

/** Somebody who is killed at a step: before a request or post at an odd number, after one, unanswered, at an even one. */
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
