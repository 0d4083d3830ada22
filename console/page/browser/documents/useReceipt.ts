import { useEffect, useState } from 'preact/hooks';
import type { ChangeReceipt } from '../../../history.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

/** How often an incomplete receipt is read again while the page can be seen, and how often at most. */
const POLL_MS = 5_000;
const POLLS = 60;

/** A receipt, or why there is none. */
type AskedReceipt = ChangeReceipt | { readonly failure: string };

/**
 * Reads the receipt of a change until it is complete.
 *
 * @param version undefined reads nothing
 * @param afterMs waits so long before the first read
 * @returns undefined until it was read
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
