import { TextField } from '../../../ui/field.tsx';
import { segments } from '../state/content.ts';

/** Why a new segment cannot have a name. Undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Enter a name.';
  const isTaken = segments.value.some(({ document: { id, name: other } }) => [id, other].includes(name.trim()));
  return isTaken ? 'A segment with this name already exists.' : undefined;
}

interface NameFieldProps {
  readonly value: string;
  /** Whether the form was submitted, so that an empty name is a problem. */
  readonly isAsked: boolean;
  readonly onInput: (name: string) => void;
}

/** The name of a new segment, with its problem while it is typed. */
export function NameField({ value, isAsked, onInput }: NameFieldProps) {
  return (
    <TextField
      label="Name"
      isFirst
      value={value}
      problem={value === '' && !isAsked ? undefined : nameProblem(value)}
      onInput={onInput}
    />
  );
}
