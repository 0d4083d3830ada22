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
