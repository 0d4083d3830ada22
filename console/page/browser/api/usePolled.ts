import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './failure.ts';

/** How often the server is asked again while the page can be seen, in milliseconds. */
const POLL_MS = 30_000;

/**
 * Asks the server now and again, but not while the page is hidden.
 *
 * @param dependencies a change of these asks at once
 * @returns the last answer, or why there is none; undefined before the first one
 */
export function usePolled<T extends object>(
  ask: () => Promise<T>,
  dependencies: readonly unknown[],
): T | { readonly failure: string } | undefined {
  const [answer, setAnswer] = useState<T | { readonly failure: string }>();
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
