import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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
