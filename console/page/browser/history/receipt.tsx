import { useEffect, useState } from 'preact/hooks';
import type { ChangeReceipt } from '../../../history.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';

/** How often an incomplete receipt is read again while the page can be seen, and how often at most. */
const POLL_MS = 5_000;
const POLLS = 60;

interface ReceiptProps {
  readonly envId: string;
  readonly version: number;
  /** Whether it is shown without a click. */
  readonly isOpen: boolean;
}

/** How many connections have a change. */
export function Receipt({ envId, version, isOpen }: ReceiptProps) {
  const [isAsked, setAsked] = useState(isOpen);
  const [receipt, setReceipt] = useState<ChangeReceipt>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isAsked) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let polls = 0;
    const look = async () => {
      if (document.visibilityState !== 'hidden') {
        polls++;
        try {
          const found = await request('GET environments/:env/receipt', { of: { env: envId }, query: { version } });
          if (isOver) return;
          setReceipt(found);
          setProblem(undefined);
          if (found.isComplete) return;
        } catch (error) {
          if (!isOver) setProblem(messageOf(error));
          return;
        }
      }
      if (!isOver && polls < POLLS) timer = setTimeout(() => void look(), POLL_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isAsked, envId, version]);
  if (!isAsked) {
    return (
      <button type="button" class="small" onClick={() => setAsked(true)}>
        Receipt
      </button>
    );
  }
  if (problem) return <p class="hint">Receipt: {problem}</p>;
  return (
    <div role="status" class="hint">
      {receipt ? receipt.lines.map((line) => <p key={line}>{line}</p>) : <p>Reading connections …</p>}
    </div>
  );
}
