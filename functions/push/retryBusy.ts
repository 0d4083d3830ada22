import type { Effects } from '../../shared/runtime/effects.ts';
import { retry, spread } from '../../shared/runtime/retry.ts';

/** Pauses before a request that failed is sent again, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 400, 1_600];

/** The pause after those, where there is time for more. */
const LONGEST_PAUSE_MS = 3_200;

/**
 * Sends a request of the management API again while that may help: too many requests or a client that reads too slowly
 * (429), an error of API Gateway's own, or no answer at all. The SDK's own retries share one small budget, which a
 * throttled API uses up at once.
 *
 * @param statusOf the HTTP status of an error; undefined where there was no answer
 * @param deadlineMs until when it is sent again, by the clock of the effects; four times in all unless given
 * @throws what the last attempt threw
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
