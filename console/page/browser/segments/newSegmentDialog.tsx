import { useState } from 'preact/hooks';
import { duplicateSegment } from '../../../../shared/flags/edits/duplicate.ts';
import { InvalidInput } from '../../../../shared/flags/invalidInput.ts';
import { formatProblem } from '../../../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../../../shared/flags/segment.ts';
import { TextField, useCheckedField } from '../../../ui/field.tsx';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { createDocument } from '../documents/createDocument.ts';
import { content, segments } from '../state/content.ts';
import { useEnvironment } from '../state/session.ts';

interface NewSegmentProps {
  /** The segment to duplicate. */
  readonly from?: Segment;
  readonly onClose: () => void;
}

/** Creates a segment without users and rules, or a duplicate. */
export function NewSegmentDialog({ from, onClose }: NewSegmentProps) {
  const environment = useEnvironment();
  const { value, isValid, field } = useCheckedField(nameProblem);
  const [description, setDescription] = useState('');
  const made = () => {
    const [id, name] = [crypto.randomUUID(), value.trim()];
    if (from) return duplicateSegment(from, () => id, name);
    const result = parseSegment({ id, name, description });
    if (!result.ok) throw new InvalidInput(result.problems.map(formatProblem).join('; '));
    return result.value;
  };
  return (
    <ConfirmDialog
      title={from ? `Duplicate ${from.name}` : `New segment in ${environment.name}`}
      action="Create segment"
      busy="Creating …"
      isInHistory={content.value?.environment.requiresReason ?? false}
      isReady={isValid}
      onClose={onClose}
      act={async (signature) => createDocument(environment, { kind: 'segment', document: made() }, signature)}
    >
      <TextField label="Name" {...field} />
      {from ? (
        <p class="hint">The new segment has the same users and rules.</p>
      ) : (
        <TextField label="Description" value={description} rows={2} onInput={setDescription} />
      )}
    </ConfirmDialog>
  );
}

function nameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return 'Enter a name.';
  const isTaken = segments.value.some(({ document }) => document.name === name || document.id === name);
  return isTaken ? 'A segment with this name already exists.' : undefined;
}
