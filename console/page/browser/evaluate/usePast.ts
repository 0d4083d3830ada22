import type { PastContent } from '../../../api.ts';
import { messageOf, request } from '../api/request.ts';
import { once, usePolled } from '../api/usePolled.ts';

/** The past content of an environment, or the reason why it could not be read. */
interface Past extends Partial<PastContent> {
  readonly failure?: string;
}

/**
 * Reads an environment at a past time.
 *
 * @param at unix milliseconds. Undefined reads nothing
 * @returns undefined while it is read
 */
export function usePast(envId: string, at: number | undefined): Past | undefined {
  const of = `${envId} ${at}`;
  const read = async (query: { readonly at: number }) => ({
    of,
    past: await request('GET environments/:env/past', { env: envId, query }).catch((error) => ({
      failure: messageOf(error),
    })),
  });
  const answer = usePolled(at === undefined ? at : () => read({ at }), [of], once);
  return answer?.of === of ? answer.past : undefined;
}

/**
 * The last millisecond of the entered second, to include changes in it.
 *
 * @param time in the format of `datetime-local`
 * @returns undefined for invalid times
 */
export function endOfSecond(time: string, now: number): number | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  return at > now ? at : Math.min(at + 999, now);
}
