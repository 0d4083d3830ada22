import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './request.ts';

/** An answer or the reason why there is none. Undefined before it. */
export type Asked<T> =
  | (T & { readonly failure?: never })
  | ({ readonly [Field in keyof T]?: never } & { readonly failure: string })
  | undefined;

interface PollOptions<T> {
  /** Interval of requests while the page is visible, in milliseconds. */
  readonly everyMs?: number;
  /** Delay before the first request. */
  readonly afterMs?: number;
  /** True for an answer after which no request is needed. `asked` is the number of answers. */
  readonly isLast?: (answer: NonNullable<Asked<T>>, asked: number) => boolean;
}

/**
 * Repeats a request while the page is visible.
 *
 * @param ask undefined asks nothing
 * @param dependencies a change of these sends the request at once
 * @returns the last answer
 */
export function usePolled<T extends object>(
  ask: (() => Promise<T>) | undefined,
  dependencies: readonly unknown[],
  { everyMs = 30_000, afterMs = 0, isLast = () => false }: PollOptions<T> = {},
): Asked<T> {
  const [answer, setAnswer] = useState<Asked<T>>();
  useEffect(() => {
    if (!ask) return;
    const over = new AbortController();
    let asked = 0;
    let isAsking = false;
    const look = async () => {
      if (isAsking || document.visibilityState === 'hidden') return;
      isAsking = true;
      const asking = ask().catch((error: unknown) => ({ failure: messageOf(error) }));
      const found = (await asking) as NonNullable<Asked<T>>;
      isAsking = false;
      if (over.signal.aborted) return;
      setAnswer(found);
      if (isLast(found, ++asked)) over.abort();
    };
    const again = () => void look();
    const first = setTimeout(() => {
      again();
      document.addEventListener('visibilitychange', again, { signal: over.signal });
    }, afterMs);
    const timer = setInterval(again, everyMs);
    over.signal.addEventListener('abort', () => {
      clearTimeout(first);
      clearInterval(timer);
    });
    return () => over.abort();
  }, dependencies);
  return answer;
}

/** Asks once. */
export const once = { isLast: () => true };
