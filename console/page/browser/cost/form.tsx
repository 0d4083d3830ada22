import { useLayoutEffect, useState } from 'preact/hooks';
import type { Figures } from '../../../../cost/model/workload/figures.ts';
import { Choice, Field } from '../../../ui/field.tsx';
import type { ControlProblem, Controls } from '../../logic/controls.ts';
import { type ControlField, fieldLabel, MAIN_FIELDS, MORE_FIELDS } from './fields.ts';

interface FormProps {
  readonly controls: Controls;
  /** The controls that the user has set. */
  readonly entered: Partial<Controls>;
  readonly figures: Figures;
  readonly hints: Readonly<Partial<Record<keyof Controls, string | undefined>>>;
  readonly problem: ControlProblem | undefined;
  readonly onChange: (part: Partial<Controls>) => void;
  /** Receives texts that are not numbers. */
  readonly onProblem: (problem: ControlProblem) => void;
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

function Control({ field, hints, problem, ...numbers }: FormProps & { readonly field: ControlField }) {
  const { name, hint, choices } = field;
  const { controls, onChange } = numbers;
  return (
    <Field id={`field-${name}`} label={fieldLabel(name)} hint={[hint, hints[name]].filter(Boolean).join(' ')}>
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
        if (typeof controls[name] === 'boolean')
          return (
            <input
              {...attributes}
              type="checkbox"
              checked={controls[name]}
              onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
            />
          );
        return <NumberInput {...attributes} {...numbers} aria-invalid={problem?.name === name} name={name} />;
      }}
    </Field>
  );
}

interface NumberInputProps extends Omit<FormProps, 'hints' | 'problem'> {
  readonly name: keyof Controls;
  readonly id: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': boolean;
}

/** A number in the format of the user's locale: a field of the type `number` accepts no separators between thousands. */
function NumberInput({ name, controls, entered, figures, onChange, onProblem, ...attributes }: NumberInputProps) {
  const value = Number(controls[name]);
  const [text, setText] = useState(figures.write(value));
  useLayoutEffect(() => {
    if (figures.read(text) !== value) setText(figures.write(value));
  }, [entered, value]);
  return (
    <input
      {...attributes}
      type="text"
      inputMode="decimal"
      autocomplete="off"
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value);
        const typed = figures.read(currentTarget.value);
        if (typed !== undefined) onChange({ [name]: typed });
      }}
      // Only when the user leaves the field: "1," may become "1,000".
      onChange={() => {
        if (figures.read(text) === undefined)
          onProblem({ name, text: `it must be a number, such as ${figures.write(1_000)}` });
      }}
    />
  );
}
