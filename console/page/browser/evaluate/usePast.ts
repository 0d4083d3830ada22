import { useEffect, useState } from 'preact/hooks';
import type { PastContent } from '../../../api.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

/** The past of an environment as it was read, or why it could not be read. */
interface Past extends Partial<PastContent> {
  readonly failure?: string;
}

/**
 * Reads an environment at a past time.
 *
 * @param at unix milliseconds; undefined reads nothing
 * @returns undefined while it is read
 */
export function usePast(envId: string, at: number | undefined): Past | undefined {
  const [answer, setAnswer] = useState<{ readonly of: string; readonly past: Past }>();
  const asked = `${envId} ${at}`;
  useEffect(() => {
    if (at === undefined) return;
    let isOver = false;
    request('GET environments/:env/past', { of: { env: envId }, query: { at } })
      .catch((error: unknown) => ({ failure: messageOf(error) }))
      .then((past) => {
        if (!isOver) setAnswer({ of: asked, past });
      });
    return () => {
      isOver = true;
    };
  }, [asked]);
  return answer?.of === asked ? answer.past : undefined;
}

/**
 * The last millisecond of a second that a field names, so that a change in that second counts. The current second has not
 * ended yet.
 *
 * @param time as `datetime-local` writes it
 * @returns undefined where that is no time
 */
export function endOfSecond(time: string, now: number): number | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return undefined;
  return at > now ? at : Math.min(at + 999, now);
}
