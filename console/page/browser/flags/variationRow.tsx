import type { Variation, VariationType } from '../../../../shared/flags/flag.ts';
import { problemOfValue } from '../../../../shared/flags/variationValue.ts';
import { Button } from '../../../ui/button.tsx';
import { indentJson } from '../../logic/indentJson.ts';
import { sentence } from '../api/request.ts';

interface VariationRowProps {
  readonly number: number;
  readonly type: VariationType;
  readonly variation: Variation;
  readonly onChange: (variation: Variation) => void;
  readonly onRemove?: (() => void) | undefined;
}

/** Default name of a variation: its value, or its position for JSON. */
export function defaultName(type: VariationType, value: string, index: number): string {
  return type === 'json' ? `Variation ${index + 1}` : value;
}

interface VariationRowsProps {
  readonly type: VariationType;
  readonly rows: readonly Variation[];
  /** Number of rows that cannot be removed. */
  readonly least: number;
  readonly onChange: (rows: readonly Variation[]) => void;
}

/** Fields of variations, and a button that adds one. */
export function VariationRows({ type, rows, least, onChange }: VariationRowsProps) {
  return (
    <>
      {rows.map((row, index) => (
        <VariationRow
          key={row.id}
          number={index + 1}
          type={type}
          variation={row}
          onChange={(changed) => onChange(rows.with(index, changed))}
          onRemove={rows.length > least ? () => onChange(rows.toSpliced(index, 1)) : undefined}
        />
      ))}
      <Button
        text="Add variation"
        kind="small"
        onClick={() => onChange([...rows, { id: crypto.randomUUID(), name: '', value: '' }])}
      />
    </>
  );
}

function VariationRow({ number, type, variation, onChange, onRemove }: VariationRowProps) {
  const { name = '', value } = variation;
  const problem = value === '' ? undefined : problemOf(type, value);
  const attributes = {
    'aria-label': `Value of variation ${number}`,
    'aria-invalid': problem !== undefined,
    class: 'code grow',
    placeholder: 'value',
    spellcheck: false,
    value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...variation, value: event.currentTarget.value }),
  };
  return (
    <fieldset class={`variation ${type}`}>
      <legend class="hidden">Variation {number}</legend>
      <input
        aria-label={`Name of variation ${number}`}
        placeholder={type === 'json' ? defaultName(type, value, number - 1) : 'name'}
        value={name}
        autocomplete="off"
        onInput={(event) => onChange({ ...variation, name: event.currentTarget.value })}
      />
      {type === 'json' ? <textarea rows={8} {...attributes} /> : <input autocomplete="off" {...attributes} />}
      {type === 'json' && (
        <Button
          text="Format"
          kind="small"
          label={`Format variation ${number}`}
          disabled={value === '' || problem !== undefined}
          onClick={() => onChange({ ...variation, value: indentJson(value) })}
        />
      )}
      {onRemove && <Button text="✕" kind="quiet" label={`Remove variation ${number}`} onClick={onRemove} />}
      {problem && <p class="problem">{problem}</p>}
    </fieldset>
  );
}

function problemOf(type: VariationType, value: string): string | undefined {
  const problem = problemOfValue(type, value);
  // The text of a JSON value would repeat the field.
  return problem && (type === 'json' ? 'Not valid JSON, for example {"size": 12}' : sentence(problem));
}
