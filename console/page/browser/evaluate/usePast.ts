import { useEffect, useState } from 'preact/hooks';
import type { PastContent } from '../../../api.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

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
  const [answer, setAnswer] = useState<{ readonly of: string; readonly past: Past }>();
  const asked = `${envId} ${at}`;
  useEffect(() => {
    if (at === undefined) return;
    let isOver = false;
    request('GET environments/:env/past', { env: envId, query: { at } })
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
