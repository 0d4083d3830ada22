import type { Effects } from '../../runtime/effects.ts';

/**
 * The time from a commit to its acknowledgement, in milliseconds. All writers and hosts of a table rely on the same time, so it
 * is not a setting (docs/decisions/0037-commit-wait.md).
 */
export const COMMIT_WAIT_MS = 100;

/**
 * How long a host may use a strongly consistent read, in milliseconds from when it was sent. It is less than
 * {@link COMMIT_WAIT_MS}, because the clocks of writer and host may each be 5 % too fast or too slow.
 */
export const MAX_READ_AGE_MS = 90;

/** A moment on both clocks. The monotonic clock stops while a machine is suspended; the wall clock may be set. */
export interface Moment {
  readonly now: number;
  readonly monotonic: number;
}

type Clocks = Pick<Effects, 'now' | 'monotonic'>;

/** This moment. */
export function momentOf({ now, monotonic }: Clocks): Moment {
  return { now: now(), monotonic: monotonic() };
}

/**
 * Milliseconds since a moment: the larger of what the two clocks show.
 *
 * @returns infinity if a clock was set back, because the time is unknown then
 */
export function ageOf({ now, monotonic }: Clocks, since: Moment): number {
  const wall = now() - since.now;
  const steady = monotonic() - since.monotonic;
  return wall < 0 || steady < 0 ? Number.POSITIVE_INFINITY : Math.max(wall, steady);
}

/**
 * Does the work of a writer, then waits for {@link COMMIT_WAIT_MS} before it returns or throws. So every commit that the result
 * depends on, including those of other writers, is at least that old.
 */
export async function acknowledgeLate<T>({ elapse }: Pick<Effects, 'elapse'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await elapse(COMMIT_WAIT_MS);
  }
}
