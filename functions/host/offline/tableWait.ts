import type { Effects } from '../../../shared/runtime/effects.ts';

/** How long the table may take to answer while there is something earlier to serve, in milliseconds. */
export const READ_TIMEOUT_MS = 1_000;

/** The same while that was saved by an earlier process, and may be old. The first read of an environment is its slowest. */
export const FIRST_READ_TIMEOUT_MS = 3_000;

/** The same after a read that took longer, until one succeeds. */
export const TRIAL_TIMEOUT_MS = 50;

/** Waits for a read. @throws on timeout, unless a callback returns false. The read is not cancelled */
export async function inTime<T>(
  { onSilence }: Pick<Effects, 'onSilence'>,
  read: Promise<T>,
  ms: number,
  onTimeout = () => true,
): Promise<T> {
  let stop = () => {};
  const tooLate = new Promise<never>((_, reject) => {
    stop = onSilence(ms, () => {
      if (onTimeout()) reject(new Error(`the table did not answer within ${ms} ms`));
    });
  });
  try {
    return await Promise.race([read, tooLate]);
  } finally {
    stop();
  }
}
