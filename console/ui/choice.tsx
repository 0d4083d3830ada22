import type { TargetedEvent } from 'preact';
import { Field } from './field.tsx';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  /** A text is a value and its own text. */
  readonly options: readonly (T | { readonly value: T; readonly text: string })[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
  /** Set if a separate label exists. */
  readonly id?: string;
}

/** A drop-down list. */
export function Choice<T extends string>({ label, value, options, onChange, disabled = false, id }: ChoiceProps<T>) {
  return (
    <select
      {...(id ? { id } : { 'aria-label': label })}
      disabled={disabled}
      value={value}
      onChange={({ currentTarget }: TargetedEvent<HTMLSelectElement>) => onChange(currentTarget.value as T)}
    >
      {options.map((each) => {
        const option = typeof each === 'string' ? { value: each, text: each } : each;
        return (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        );
      })}
    </select>
  );
}

/** A drop-down list with a label. */
export function ChoiceField<T extends string>({ hint, ...choice }: ChoiceProps<T> & { readonly hint?: string }) {
  return (
    <Field label={choice.label} hint={hint}>
      {({ id }) => <Choice {...choice} id={id} />}
    </Field>
  );
}
