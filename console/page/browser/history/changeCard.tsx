import { changesIn } from '../../../../shared/evaluation/historyText.ts';
import type { HistoryChange } from '../../../api.ts';
import { Time } from '../../../ui/time.tsx';
import { ChangeTable } from '../documents/changeTable.tsx';
import { segmentName } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { findNames } from './documentNames.ts';

interface ChangeCardProps {
  readonly change: HistoryChange;
  readonly of: { readonly id: string } | undefined;
  readonly onUndo: () => void;
}

/** A change: who made it, when and how, and what it changed. */
export function ChangeCard({ change, of, onUndo }: ChangeCardProps) {
  const { at, by, command, documents, moreDocuments } = change;
  return (
    <article class="change" aria-label={`Change by ${by}`}>
      <header>
        <div>
          <b>{by}</b> <Time at={at} />
          {command && <p class="hint">{command}</p>}
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
      {documents.map((document) => {
        const { kind, id, isNew, moreDifferences } = document;
        const name = kind === 'segment' ? segmentName.value(id) : id;
        return (
          <div key={kind + id}>
            {(of?.id !== id || isNew) && (
              <p>
                {isNew && 'made '}
                {kind} <a href={linkTo(kind === 'flag' ? 'flags' : 'segments', id)}>{name}</a>
              </p>
            )}
            {!isNew && (
              <ChangeTable
                changes={changesIn(document, findNames(document))}
                label={`What changed of ${kind} ${name}`}
              />
            )}
            {moreDifferences > 0 && <p class="hint">and {moreDifferences} more differences</p>}
          </div>
        );
      })}
      {moreDocuments > 0 && <p class="hint">and {moreDocuments} more documents</p>}
    </article>
  );
}
