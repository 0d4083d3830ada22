import type { ComponentChildren, Ref, TargetedEvent } from 'preact';
import { useId, useState } from 'preact/hooks';

interface FieldProps {
  /** Default: a unique id. */
  readonly id?: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: string | undefined;
  /** Renders the field with these attributes. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A form field with label, hint and problem. */
export function Field({ id: given, label, hint, problem, children }: FieldProps) {
  const made = useId();
  const id = given ?? made;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-about`, 'aria-invalid': problem !== undefined })}
      <div id={`${id}-about`}>
        {hint && <p class="hint">{hint}</p>}
        {problem && <p class="problem">{problem}</p>}
      </div>
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly isFirst?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
}

/** A text field. `rows` makes it multi-line. */
export function TextField({ value, onInput, rows, isCode, isFirst, disabled, placeholder, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(attributes) => {
        const all = {
          ...attributes,
          value,
          autocomplete: 'off' as const,
          spellcheck: false,
          class: isCode ? 'code' : '',
          disabled: disabled ?? false,
          placeholder: placeholder ?? '',
          onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
            onInput(event.currentTarget.value),
          ...(isFirst ? { 'data-first': true } : {}),
        };
        return rows ? <textarea {...all} rows={rows} /> : <input {...all} />;
      }}
    </Field>
  );
}

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

/** A drop-down list. It never shows another entry than `value`. */
export function Choice<T extends string>({ label, value, options, onChange, disabled = false, id }: ChoiceProps<T>) {
  return (
    <select
      {...(id ? { id } : { 'aria-label': label, title: label })}
      disabled={disabled}
      value={value}
      onChange={({ currentTarget }: TargetedEvent<HTMLSelectElement>) => {
        const chosen = currentTarget.value as T;
        // An entry can be an action, which does not change the value.
        currentTarget.value = value;
        onChange(chosen);
      }}
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

interface CheckProps {
  readonly id?: string;
  /** The id of its hint. */
  readonly describedBy?: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A checkbox with its label. */
export function Check({ id, describedBy, label, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        id={id}
        aria-describedby={describedBy}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface SearchInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (words: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
  readonly 'aria-keyshortcuts'?: string;
}

/** A search field without a visible label. */
export function SearchInput({ label, onInput, ...attributes }: SearchInputProps) {
  return (
    <input
      {...attributes}
      type="search"
      aria-label={label}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

/**
 * State of a field that shows its problem while the user types.
 *
 * @param problemOf undefined for a valid text
 * @param suggested the text until the user types
 * @returns the text, whether it is valid, and attributes of its `TextField`
 */
export function useCheckedField(problemOf: (text: string) => string | undefined, suggested = '') {
  const [typed, onInput] = useState<string>();
  const value = typed ?? suggested;
  const problem = problemOf(value);
  const shown = value === '' ? undefined : problem;
  return { value, isValid: problem === undefined, field: { value, onInput, isFirst: true, problem: shown } };
}
