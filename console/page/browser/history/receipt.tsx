import { useState } from 'preact/hooks';
import { useReceipt } from '../documents/useReceipt.ts';

interface ReceiptProps {
  readonly envId: string;
  readonly version: number;
  /** True if it is shown without a click. */
  readonly isOpen: boolean;
}

/** The connections that have a change. */
export function Receipt({ envId, version, isOpen }: ReceiptProps) {
  const [isAsked, setAsked] = useState(isOpen);
  const receipt = useReceipt(envId, isAsked ? version : undefined);
  if (!isAsked) {
    return (
      <button type="button" class="small" onClick={() => setAsked(true)}>
        Receipt
      </button>
    );
  }
  if (receipt && 'failure' in receipt) return <p class="hint">Receipt: {receipt.failure}</p>;
  return (
    <div role="status" class="hint">
      {receipt ? receipt.lines.map((line) => <p key={line}>{line}</p>) : <p>Reading connections …</p>}
    </div>
  );
}
