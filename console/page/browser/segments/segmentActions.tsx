import { useState } from 'preact/hooks';
import { asDeleted } from '../../../../shared/flags/deletion.ts';
import { duplicateSegment } from '../../../../shared/flags/duplicate.ts';
import type { EnvironmentName } from '../../../api.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialogForm.tsx';
import { uuid } from '../../../ui/uuid.ts';
import type { segments } from '../state/content.ts';
import { ask } from '../state/review.ts';
import { go } from '../state/route.ts';
import { NameField, nameProblem } from './nameField.tsx';

interface SegmentActionsProps {
  readonly environment: EnvironmentName;
  readonly stored: (typeof segments.value)[number];
  /** Whether flags refer to it, so that it cannot be deleted. */
  readonly isUsed: boolean;
}

/** Duplicates a segment, or deletes it: as it is saved, without edits that are not. */
export function SegmentActions({ environment, stored, isUsed }: SegmentActionsProps) {
  const [isDuplicating, setDuplicating] = useState(false);
  const segment = stored.document;
  const remove = () =>
    ask({
      title: `Delete ${segment.name}`,
      note: 'Its name can be used again. Undo in the history brings the segment back.',
      base: stored,
      document: { kind: 'segment', document: asDeleted(segment) },
      onSaved: () => go({ envId: environment.id, view: 'segments' }),
    });
  return (
    <>
      {!segment.isArchived && (
        <button type="button" onClick={() => setDuplicating(true)}>
          Duplicate
        </button>
      )}
      <button type="button" class="danger" disabled={isUsed} onClick={remove}>
        Delete
      </button>
      {isDuplicating && (
        <DuplicateSegmentDialog environment={environment} stored={stored} onClose={() => setDuplicating(false)} />
      )}
    </>
  );
}

interface DuplicateProps extends Omit<SegmentActionsProps, 'isUsed'> {
  readonly onClose: () => void;
}

function DuplicateSegmentDialog({ environment, stored, onClose }: DuplicateProps) {
  const [name, setName] = useState('');
  const [isAsked, setAsked] = useState(false);
  const next = () => {
    setAsked(true);
    if (nameProblem(name)) return;
    onClose();
    const document = duplicateSegment(stored.document, uuid, name.trim());
    ask({
      title: `Create segment ${document.name}`,
      base: undefined,
      document: { kind: 'segment', document },
      onSaved: () => go({ envId: environment.id, view: 'segments', id: document.id }),
    });
  };
  return (
    <Dialog title={`Duplicate ${stored.document.name}`} onClose={onClose}>
      <DialogForm action="Review" onSubmit={next} onCancel={onClose}>
        <NameField value={name} isAsked={isAsked} onInput={setName} />
        <p class="hint">The new segment has the same users and rules.</p>
      </DialogForm>
    </Dialog>
  );
}
