import type { Effects } from '../../shared/runtime/effects.ts';
import { retry, spread } from '../../shared/runtime/retry.ts';

/** Pauses before retries, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 400, 1_600];

/** The pause after those, while there is time. */
const LONGEST_PAUSE_MS = 3_200;

/**
 * Retries a request of the management API after 429 (too many requests, or a client that reads slowly), after an error of API
 * Gateway, and after no response. The AWS SDK's own retries share a small budget, which a throttled API exhausts.
 *
 * @param statusOf the HTTP status of an error; undefined if there was no response
 * @param deadlineMs time until which it is retried, by the clock of the effects; by default four attempts
 * @throws the error of the last attempt
 */
export function retryBusy<T>(
  effects: Pick<Effects, 'now' | 'random' | 'pause'>,
  send: () => Promise<T>,
  statusOf: (error: unknown) => number | undefined,
  deadlineMs?: number,
): Promise<T> {
  const pauseMs = (n: number) => {
    const pause = PAUSES_MS[n - 1] ?? (deadlineMs === undefined ? undefined : LONGEST_PAUSE_MS);
    return pause === undefined ? undefined : spread(effects, pause);
  };
  const isTemporary = (error: unknown) => {
    const status = statusOf(error);
    return status === undefined || status === 429 || status >= 500;
  };
  return retry(effects, send, { pauseMs, isTemporary, ...(deadlineMs !== undefined && { deadlineMs }) });
}
