import { useState } from 'preact/hooks';
import { duplicateSegment } from '../../../../shared/flags/edits/duplicate.ts';
import { parseSegment, type Segment } from '../../../../shared/flags/segment.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { TextField, useCheckedField } from '../../../ui/field.tsx';
import { segments } from '../state/content.ts';
import { askToCreate } from '../state/review.ts';

interface NewSegmentProps {
  /** The segment to duplicate. */
  readonly from?: Segment;
  readonly onClose: () => void;
}

/** Asks for the name of a new segment. */
export function NewSegmentDialog({ from, onClose }: NewSegmentProps) {
  const { value, isValid, field } = useCheckedField(nameProblem);
  const [description, setDescription] = useState('');
  const next = () => {
    if (!isValid()) return;
    const name = value.trim();
    const made = from
      ? duplicateSegment(from, () => crypto.randomUUID(), name)
      : { id: crypto.randomUUID(), name, description };
    const result = parseSegment(made);
    if (!result.ok) return;
    onClose();
    askToCreate({ kind: 'segment', document: result.value });
  };
  return (
    <FormDialog
      title={from ? `Duplicate ${from.name}` : 'New segment'}
      action="Review"
      onSubmit={next}
      onClose={onClose}
    >
      <TextField label="Name" {...field} />
      {from ? (
        <p class="hint">The new segment has the same users and rules.</p>
      ) : (
        <TextField label="Description" value={description} rows={2} onInput={setDescription} />
      )}
    </FormDialog>
  );
}

function nameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return 'Enter a name.';
  const isTaken = segments.value.some(({ document }) => document.name === name || document.id === name);
  return isTaken ? 'A segment with this name already exists.' : undefined;
}
