import type { ChangeReceipt } from '../../../history.ts';
import { request } from '../api/request.ts';
import { type Asked, usePolled } from '../api/usePolled.ts';

/** Maximum number of reads of an incomplete receipt. */
const POLLS = 60;

/**
 * Reads the receipt of a change until it is complete.
 *
 * @param version undefined reads nothing
 * @param afterMs delay before the first read
 */
export function useReceipt(env: string, version: number | undefined, afterMs = 0): Asked<ChangeReceipt> {
  const ask =
    version === undefined ? version : () => request('GET environments/:env/receipt', { env, query: { version } });
  return usePolled(ask, [env, version], {
    everyMs: 5_000,
    afterMs,
    isLast: ({ failure, isComplete = false }, asked) => failure !== undefined || isComplete || asked >= POLLS,
  });
}
