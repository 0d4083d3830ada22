import { undoneIn } from '../../../../shared/describe/historyText.ts';
import { groupAlike, kindText, undoText } from '../../logic/actions.ts';
import { request } from '../api/request.ts';
import { changeNews } from '../documents/changeNews.tsx';
import { ChangeTable } from '../documents/changeTable.tsx';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { take } from '../state/content.ts';
import { undoing } from '../state/review.ts';
import { findNames, nameOf } from './changeCard.tsx';

/** Shows the effect of undoing a change, and undoes it. */
export function UndoDialog({ environment, change }: NonNullable<typeof undoing.value>) {
  const { version, by, documents, moreDocuments } = change;
  const onClose = () => {
    undoing.value = undefined;
  };
  return (
    <ConfirmDialog
      title={`Undo the change by ${by}`}
      action={undoText(change)}
      onClose={onClose}
      isInHistory
      act={async (signature) => {
        const body = { version, ...signature };
        const written = await request('POST environments/:env/undo', { env: environment.id, body });
        take(written.documents);
        const text = written.documents.length > 0 ? 'Change undone' : 'It was undone already: nothing changed.';
        return { text, more: changeNews(environment, written) };
      }}
    >
      {groupAlike(documents, (document) => undoneIn(document, findNames(document))).map((alike) => {
        const names = alike.documents.map(({ kind, id }) => nameOf(kind, id)).join(', ');
        return (
          <div key={names}>
            <p>
              {kindText(alike)} <code>{names}</code>
            </p>
            <ChangeTable changes={alike.changes} label={`What undoing changes of ${names}`} />
          </div>
        );
      })}
      {moreDocuments > 0 && <p>and {moreDocuments} other flags or segments</p>}
    </ConfirmDialog>
  );
}
