import { asDeleted } from '../../../../shared/flags/deletion.ts';
import type { VersionedSegment } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogButton } from '../../../ui/dialogButton.tsx';
import { ask } from '../state/review.ts';
import { goTo } from '../state/route.ts';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

interface SegmentActionsProps {
  readonly stored: VersionedSegment;
  /** True if flags use it, so that it cannot be deleted. */
  readonly isUsed: boolean;
}

/** Duplicates or deletes a segment, without unsaved edits. */
export function SegmentActions({ stored, isUsed }: SegmentActionsProps) {
  const segment = stored.document;
  const remove = () =>
    ask({
      title: `Delete ${segment.name}`,
      note: 'Its name can be used again. Undo in the history brings the segment back.',
      base: stored,
      document: { kind: 'segment', document: asDeleted(segment) },
      onSaved: () => goTo('segments'),
    });
  return (
    <>
      {!segment.isArchived && (
        <DialogButton text="Duplicate" dialog={(close) => <NewSegmentDialog from={segment} onClose={close} />} />
      )}
      <Button text="Delete" kind="danger" disabled={isUsed} onClick={remove} />
    </>
  );
}
