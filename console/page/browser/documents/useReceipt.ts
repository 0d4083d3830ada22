import { useEffect, useState } from 'preact/hooks';
import type { ChangeReceipt } from '../../../history.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';
import type { Asked } from '../api/usePolled.ts';

/** Intervals of reading an incomplete receipt while the page is visible, and the maximum number of reads. */
const POLL_MS = 5_000;
const POLLS = 60;

/**
 * Reads the receipt of a change until it is complete.
 *
 * @param version undefined reads nothing
 * @param afterMs delay before the first read
 */
export function useReceipt(envId: string, version: number | undefined, afterMs = 0): Asked<ChangeReceipt> {
  const [receipt, setReceipt] = useState<Asked<ChangeReceipt>>();
  useEffect(() => {
    if (version === undefined) return;
    let isOver = false;
    let polls = 0;
    const look = async () => {
      let isLast = false;
      if (document.visibilityState !== 'hidden') {
        const asked = request('GET environments/:env/receipt', { env: envId, query: { version } });
        const found = await asked.catch((error: unknown) => ({ failure: messageOf(error) }));
        if (isOver) return;
        setReceipt(found);
        isLast = 'failure' in found || found.isComplete || ++polls >= POLLS;
      }
      if (!isOver && !isLast) timer = setTimeout(() => void look(), POLL_MS);
    };
    let timer = setTimeout(() => void look(), afterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [envId, version]);
  return receipt;
}
