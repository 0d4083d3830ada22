import type { Effects } from '../runtime/effects.ts';

/**
 * How long after its commit a writer acknowledges, in milliseconds. All writers and hosts of a table rely on the same time; it
 * follows no setting (docs/decisions/0037-commit-wait.md).
 */
export const COMMIT_WAIT_MS = 100;

/**
 * The most that a host may trust a strongly consistent read, in milliseconds from when it was sent. It is less than
 * {@link COMMIT_WAIT_MS}, so that the clocks of writer and host may each run wrong by 5 %.
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
 * Milliseconds since a moment, by the clock that shows more.
 *
 * @returns infinity where a clock was set back: the time is not known then
 */
export function ageOf({ now, monotonic }: Clocks, since: Moment): number {
  const [wall, steady] = [now() - since.now, monotonic() - since.monotonic];
  return wall < 0 || steady < 0 ? Number.POSITIVE_INFINITY : Math.max(wall, steady);
}

/**
 * Does the work of a writer, and waits after its last request before it returns or throws. Whatever it tells of the environment, be it
 * its own change or another writer's, was committed {@link COMMIT_WAIT_MS} ago then.
 */
export async function acknowledgeLate<T>({ elapse }: Pick<Effects, 'elapse'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await elapse(COMMIT_WAIT_MS);
  }
}
