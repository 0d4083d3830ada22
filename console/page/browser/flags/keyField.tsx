import { FLAG_KEY_PATTERN } from '../../../../shared/flags/flag.ts';
import { TextField } from '../../../ui/field.tsx';
import { find } from '../state/content.ts';

/** Why a new flag cannot have a key. Undefined if it can. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'Enter a key.';
  if (!FLAG_KEY_PATTERN.test(key)) {
    return 'Use letters, digits, dots, underscores or hyphens; at most 128 characters.';
  }
  return find('flag', key) && 'A flag with this key already exists.';
}

interface KeyFieldProps {
  readonly value: string;
  /** Whether the form was submitted, so that an empty key is a problem. */
  readonly isAsked: boolean;
  readonly onInput: (key: string) => void;
}

/** The key of a new flag, with its problem while it is typed. */
export function KeyField({ value, isAsked, onInput }: KeyFieldProps) {
  return (
    <TextField
      label="Key"
      hint="The key your code uses. You cannot change it later."
      isCode
      isFirst
      value={value}
      problem={value === '' && !isAsked ? undefined : keyProblem(value)}
      onInput={onInput}
    />
  );
}
