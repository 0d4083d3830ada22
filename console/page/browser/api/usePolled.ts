import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './failure.ts';

/** An answer or the reason why there is none. Undefined before it. */
export type Asked<T> = T | { readonly failure: string } | undefined;

/** Interval of requests while the page is visible, in milliseconds. */
const POLL_MS = 30_000;

/**
 * Repeats a request while the page is visible.
 *
 * @param dependencies a change of these sends the request at once
 * @returns the last answer
 */
export function usePolled<T extends object>(ask: () => Promise<T>, dependencies: readonly unknown[]): Asked<T> {
  const [answer, setAnswer] = useState<Asked<T>>();
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      if (document.visibilityState === 'hidden') return;
      const found = await ask().catch((error: unknown) => ({ failure: messageOf(error) }));
      if (!isOver) setAnswer(found);
    };
    const again = () => void look();
    again();
    const timer = setInterval(again, POLL_MS);
    document.addEventListener('visibilitychange', again);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, dependencies);
  return answer;
}
