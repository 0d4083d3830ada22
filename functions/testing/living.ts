import type { Call } from '../../shared/store/testing/testTables.ts';

/** What somebody does who may be killed: one request or post. */
export type Living = <T>(work: () => Promise<T>, call?: Call) => Promise<T>;

/** A sync that is killed after so many requests and posts; not once its answer is noted, after which nothing can heal it. */
export function untilKilled(life = Number.POSITIVE_INFINITY): Living {
  let left = life;
  return async (work, call) => {
    if (left-- <= 0) throw new Error('killed');
    const result = await work();
    if (call?.input.UpdateExpression?.includes('REMOVE busyUntil')) left = Number.POSITIVE_INFINITY;
    return result;
  };
}
