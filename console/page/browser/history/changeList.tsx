import { useEffect, useState } from 'preact/hooks';
import type { EnvironmentName, HistoryChange } from '../../../api.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';
import { Section } from '../documents/section.tsx';
import { content } from '../state/content.ts';
import { ChangeCard } from './changeCard.tsx';
import { UndoDialog } from './undoDialog.tsx';

interface ChangeListProps {
  readonly environment: EnvironmentName;
  readonly title: string;
  /** One flag (by its key) or segment (by its id); everything where it is not said. */
  readonly of?: { readonly kind: 'flag' | 'segment'; readonly id: string };
}

/** Who changed what, newest first, and the way back. */
export function ChangeList({ environment, title, of }: ChangeListProps) {
  const [changes, setChanges] = useState<readonly HistoryChange[]>();
  const [next, setNext] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [undoing, setUndoing] = useState<HistoryChange>();
  const version = content.value?.version;

  const read = async (before?: number, isCurrent = () => true) => {
    try {
      const query = { ...of, ...(before === undefined ? {} : { before }) };
      const page = await request('GET environments/:env/history', { of: { env: environment.id }, query });
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
  }, [environment.id, of?.id, version]);

  return (
    <Section title={title}>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {!changes && !problem && <p class="hint">Reading …</p>}
      {changes?.length === 0 && <p class="hint">Nothing has been changed yet, or not since changes are kept.</p>}
      <ol class="history">
        {changes?.map((change) => (
          <li key={change.version}>
            <ChangeCard change={change} of={of} onUndo={() => setUndoing(change)} />
          </li>
        ))}
      </ol>
      {next !== undefined && (
        <button type="button" onClick={() => void read(next)}>
          Earlier changes
        </button>
      )}
      {undoing && <UndoDialog environment={environment} change={undoing} onClose={() => setUndoing(undefined)} />}
    </Section>
  );
}
