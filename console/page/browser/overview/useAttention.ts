import { useEffect, useState } from 'preact/hooks';
import type { AskedAttention } from '../../logic/attention.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

/** How often the server is asked again while the page can be seen, in milliseconds. */
const LOOK_MS = 30_000;

/** Asks what is wrong with the deployment, now and again, but not while the page is hidden. */
export function useAttention(envId: string): AskedAttention {
  const [asked, setAsked] = useState<AskedAttention>();
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      if (document.visibilityState === 'hidden') return;
      const found = await request('GET environments/:env/attention', { of: { env: envId } }).then(
        (attention) => ({ attention }),
        (error: unknown) => ({ failure: messageOf(error) }),
      );
      if (!isOver) setAsked(found);
    };
    const again = () => void look();
    again();
    const timer = setInterval(again, LOOK_MS);
    document.addEventListener('visibilitychange', again);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [envId]);
  return asked;
}
