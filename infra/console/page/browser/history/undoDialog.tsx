import { useState } from 'preact/hooks';
import type { EnvironmentName, HistoryChange } from '../../../api.ts';
import { undoneIn } from '../../logic/history.ts';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';
import { confirmed, ProductionField } from '../documents/productionField.tsx';
import { announce } from '../state/announcement.ts';
import { take } from '../state/content.ts';
import { ChangeTable } from '../ui/changeTable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { knownOf } from './known.ts';

interface UndoDialogProps {
  readonly environment: EnvironmentName;
  readonly change: HistoryChange;
  readonly onClose: () => void;
}

/** Shows what taking a change back does, and does it. */
export function UndoDialog({ environment, change, onClose }: UndoDialogProps) {
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { isConfirmed, confirm } = confirmed(environment, typed);
  const undo = async () => {
    setBusy(true);
    try {
      const body = { version: change.version, ...confirm };
      const written = await request('POST environments/:env/undo', { of: { env: environment.id }, body });
      take(written.documents);
      onClose();
      announce(written.documents.length > 0 ? 'Taken back.' : 'It was taken back already: nothing changed.');
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Undo the change by ${change.by}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void undo();
        }}
      >
        {change.documents.map((document) => (
          <div key={document.kind + document.id}>
            <p>
              {document.kind} <code>{document.id}</code>
            </p>
            <ChangeTable
              changes={undoneIn(document, knownOf(document))}
              label={`What undoing changes of ${document.id}`}
            />
          </div>
        ))}
        {change.moreDocuments > 0 && <p>and {change.moreDocuments} more documents</p>}
        <ProductionField environment={environment} typed={typed} onInput={setTyped} />
        {failure && (
          <p class="notice bad" role="alert">
            {failure}
          </p>
        )}
        <footer class="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" data-first disabled={!isConfirmed || isBusy}>
            Undo
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
