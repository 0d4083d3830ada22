import { useState } from 'preact/hooks';
import { asDeleted } from '../../../../shared/flags/deletion.ts';
import type { EnvironmentName } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import type { segments } from '../state/content.ts';
import { ask } from '../state/review.ts';
import { go } from '../state/route.ts';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

interface SegmentActionsProps {
  readonly environment: EnvironmentName;
  readonly stored: (typeof segments.value)[number];
  /** True if flags use it, so that it cannot be deleted. */
  readonly isUsed: boolean;
}

/** Duplicates or deletes a segment, without unsaved edits. */
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
      {!segment.isArchived && <Button text="Duplicate" onClick={() => setDuplicating(true)} />}
      <Button text="Delete" kind="danger" disabled={isUsed} onClick={remove} />
      {isDuplicating && (
        <NewSegmentDialog environment={environment} from={segment} onClose={() => setDuplicating(false)} />
      )}
    </>
  );
}
