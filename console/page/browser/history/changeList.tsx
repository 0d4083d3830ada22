import { useEffect, useState } from 'preact/hooks';
import type { HistoryChange } from '../../../history.ts';
import type { HistoryQuery } from '../../../schemas.ts';
import { Alert, Section, Skeleton } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { messageOf, request } from '../api/request.ts';
import { useReceipt } from '../documents/changeNews.tsx';
import { content } from '../state/content.ts';
import { useEnvironment } from '../state/session.ts';
import { ChangeCard } from './changeCard.tsx';

interface ChangeListProps {
  readonly title: string;
  /** Filter of changes. Default: all. */
  readonly query?: Omit<HistoryQuery, 'before'>;
}

/** Changes, newest first, with a button to undo each. */
export function ChangeList({ title, query = {} }: ChangeListProps) {
  const environment = useEnvironment();
  const [changes, setChanges] = useState<readonly HistoryChange[]>();
  const [next, setNext] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const version = content.value?.version;
  const isWhole = Object.values(query).every((value) => value === undefined);

  const read = async (before?: number, isCurrent = () => true) => {
    try {
      const page = await request('GET environments/:env/history', {
        env: environment.id,
        query: { ...query, ...(before === undefined ? {} : { before }) },
      });
      if (!isCurrent()) return;
      setChanges((earlier = []) => (before === undefined ? page.changes : [...earlier, ...page.changes]));
      setNext(page.next);
      setProblem(undefined);
    } catch (error) {
      if (isCurrent()) setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    let isCurrent = true;
    void read(undefined, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [environment.id, JSON.stringify(query), version]);

  return (
    <Section title={title}>
      <Alert text={problem} />
      {!changes && !problem && <Skeleton lines={8} />}
      {changes?.length === 0 && (
        <p class="hint">{next === undefined ? 'No changes found.' : 'No changes found yet.'}</p>
      )}
      <ol class="history">
        {changes?.map((change) => (
          <li key={change.version}>
            <ChangeCard
              change={change}
              documentId={query.id}
              receipt={<Receipt version={change.version} isOpen={isWhole && change === changes[0]} />}
            />
          </li>
        ))}
      </ol>
      {next !== undefined && <Button text="Show earlier changes" onClick={() => void read(next)} />}
    </Section>
  );
}

interface ReceiptProps {
  readonly version: number;
  /** True if it is shown without a click. */
  readonly isOpen: boolean;
}

function Receipt({ version, isOpen }: ReceiptProps) {
  const environment = useEnvironment();
  const [isAsked, setAsked] = useState(isOpen);
  const receipt = useReceipt(environment.id, isAsked ? version : undefined);
  if (!isAsked) return <Button text="Receipt" kind="small" onClick={() => setAsked(true)} />;
  if (receipt?.failure) return <p class="hint">Receipt: {receipt.failure}</p>;
  return (
    <div role="status" class="hint">
      {receipt?.lines ? receipt.lines.map((line) => <p key={line}>{line}</p>) : <p>Reading connections …</p>}
    </div>
  );
}
