import { changesIn, commandText } from '../../../../shared/evaluation/historyText.ts';
import type { ChangedDocument, HistoryChange } from '../../../history.ts';
import { Time } from '../../../ui/time.tsx';
import { ChangeTable } from '../documents/changeTable.tsx';
import { segmentName } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { findNames } from './documentNames.ts';

interface ChangeCardProps {
  readonly change: HistoryChange;
  /** The one whose history is shown, so that it need not be named. */
  readonly documentId: string | undefined;
  readonly onUndo: () => void;
}

/** A change: who made it, when and how, and what it changed. */
export function ChangeCard({ change, documentId, onUndo }: ChangeCardProps) {
  const { at, by, command, documents, moreDocuments } = change;
  return (
    <article class="change" aria-label={`Change by ${by}`}>
      <header>
        <div>
          <b>{by}</b> <Time at={at} isExact />
          {command && <p class="hint">{commandText(command)}</p>}
        </div>
        <button
          type="button"
          class="small"
          aria-label={`Undo the change of ${new Date(at).toLocaleString()}`}
          onClick={onUndo}
        >
          Undo
        </button>
      </header>
      {documents.map((document) => (
        <DocumentChange key={document.kind + document.id} document={document} isNamed={document.id !== documentId} />
      ))}
      {moreDocuments > 0 && <p class="hint">and {moreDocuments} more flags or segments</p>}
    </article>
  );
}

/** What was done to one flag or segment. */
function DocumentChange({ document, isNamed }: { readonly document: ChangedDocument; readonly isNamed: boolean }) {
  const { kind, id, isNew, action, moreDifferences } = document;
  const name = kind === 'segment' ? segmentName.value(id) : id;
  return (
    <div>
      <p>
        {action}
        {isNamed && (
          <>
            {' '}
            {kind} <a href={linkTo(kind === 'flag' ? 'flags' : 'segments', id)}>{name}</a>
          </>
        )}
      </p>
      {!isNew && (
        <ChangeTable changes={changesIn(document, findNames(document))} label={`What changed of ${kind} ${name}`} />
      )}
      {moreDifferences > 0 && <p class="hint">and {moreDifferences} more differences</p>}
    </div>
  );
}
