import type { AriaAttributes } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Check, Choice, Field } from '../../../ui/field.tsx';
import type { ControlProblem, Controls } from '../../logic/controls.ts';
import { type ControlField, fieldLabel, MAIN_FIELDS, MORE_FIELDS } from './fields.ts';

interface FormProps {
  readonly controls: Controls;
  readonly hints: Readonly<Partial<Record<keyof Controls, string | undefined>>>;
  readonly problem: ControlProblem | undefined;
  readonly onChange: (part: Partial<Controls>) => void;
}

/** The controls of a workload. */
export function WorkloadForm(props: FormProps) {
  const { problem } = props;
  const label = problem?.name === undefined ? undefined : fieldLabel(problem.name);
  return (
    <form class="card" aria-label="The workload" onSubmit={(event) => event.preventDefault()}>
      <h2>Your load</h2>
      <div class="fields">
        {MAIN_FIELDS.map((field) => (
          <Control key={field.name} field={field} {...props} />
        ))}
      </div>
      <details>
        <summary>More settings</summary>
        <div class="fields">
          {MORE_FIELDS.map((field) => (
            <Control key={field.name} field={field} {...props} />
          ))}
        </div>
      </details>
      <p id="problem" class="problem" role="alert" hidden={problem === undefined}>
        {[label, problem?.text].filter(Boolean).join(': ')}
      </p>
    </form>
  );
}

function Control({ field, hints, problem, controls, onChange }: FormProps & { readonly field: ControlField }) {
  const { name, hint, choices } = field;
  const [id, about] = [`field-${name}`, [hint, hints[name]].filter(Boolean).join(' ')];
  if (typeof controls[name] === 'boolean') {
    return (
      <div class="field">
        <Check
          id={id}
          {...(about !== '' && { describedBy: `${id}-hint` })}
          label={fieldLabel(name)}
          isOn={controls[name]}
          onChange={(isOn) => onChange({ [name]: isOn })}
        />
        {about && (
          <p class="hint" id={`${id}-hint`}>
            {about}
          </p>
        )}
      </div>
    );
  }
  return (
    <Field id={id} label={fieldLabel(name)} hint={about}>
      {(attributes) => {
        if (choices) {
          const value = String(controls[name]);
          const options = value in choices ? choices : { ...choices, [value]: 'custom' };
          return (
            <Choice
              id={attributes.id}
              label={field.label}
              value={value}
              options={Object.entries(options).map(([value, text]) => ({ value, text }))}
              onChange={(chosen) => onChange({ [name]: chosen })}
            />
          );
        }
        return (
          <NumberInput
            {...attributes}
            aria-invalid={problem?.name === name}
            value={Number(controls[name])}
            onNumber={(typed) => onChange({ [name]: typed })}
          />
        );
      }}
    </Field>
  );
}

interface NumberInputProps extends AriaAttributes {
  readonly id: string;
  readonly value: number;
  readonly onNumber: (value: number) => void;
}

/** A number. What is none is left out of the estimate, and replaced when the field loses the focus. */
function NumberInput({ value, onNumber, ...attributes }: NumberInputProps) {
  const [text, setText] = useState(String(value));
  useLayoutEffect(() => {
    if (Number(text) !== value) setText(String(value));
  }, [value]);
  return (
    <input
      {...attributes}
      type="number"
      step="any"
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value);
        if (currentTarget.value !== '') onNumber(currentTarget.valueAsNumber);
      }}
      onBlur={() => setText(String(value))}
    />
  );
}
