import { useEffect, useState } from 'preact/hooks';
import type { ChangeReceipt } from '../../../history.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

/** Intervals of reading an incomplete receipt while the page is visible, and the maximum number of reads. */
const POLL_MS = 5_000;
const POLLS = 60;

/** A receipt, or the reason why it could not be read. */
type AskedReceipt = ChangeReceipt | { readonly failure: string };

/**
 * Reads the receipt of a change until it is complete.
 *
 * @param version undefined reads nothing
 * @param afterMs delay before the first read
 * @returns undefined before the first read
 */
export function useReceipt(envId: string, version: number | undefined, afterMs = 0): AskedReceipt | undefined {
  const [receipt, setReceipt] = useState<AskedReceipt>();
  useEffect(() => {
    if (version === undefined) return;
    let isOver = false;
    let polls = 0;
    const look = async () => {
      let isLast = false;
      if (document.visibilityState !== 'hidden') {
        const asked = request('GET environments/:env/receipt', { of: { env: envId }, query: { version } });
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
