import { changesOf } from '../../../../shared/describe/documentChanges.ts';
import type { Document } from '../../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { merge } from '../../logic/merge.ts';
import { segmentName } from '../state/content.ts';
import { ChangeTable } from './changeTable.tsx';

interface EditConflictDialogProps {
  readonly base: VersionedDocument;
  readonly mine: Document;
  readonly theirs: VersionedDocument;
  readonly onRedo: (merged: { readonly document: Document; readonly conflicts: readonly string[] }) => void;
  readonly onDrop: () => void;
  readonly onClose: () => void;
}

/** Shows changes that someone else saved during an edit. */
export function EditConflictDialog({ base, mine, theirs, onRedo, onDrop, onClose }: EditConflictDialogProps) {
  const redo = () => {
    const { value, conflicts } = merge<unknown>(base.document, mine.document, theirs.document);
    const document = { kind: mine.kind, document: { ...(value as object), updatedAt: theirs.document.updatedAt } };
    onRedo({ document: document as Document, conflicts: conflicts.filter((path) => path !== 'updatedAt') });
  };
  return (
    <Dialog title={`Someone else changed this ${mine.kind}`} onClose={onClose}>
      <p>
        They saved it <Time at={theirs.version} />, while you were editing. Your changes are not saved yet.
      </p>
      <h3>What they changed</h3>
      <ChangeTable changes={changesOf(base, theirs, segmentName.value)} label="What they changed" />
      <h3>What you changed</h3>
      <ChangeTable changes={changesOf(base, mine, segmentName.value)} label="What you changed" />
      <footer class="form-foot">
        <Button text="Discard my changes" onClick={onDrop} />
        <Button text="Reapply my changes" kind="primary" data-first onClick={redo} />
      </footer>
    </Dialog>
  );
}
