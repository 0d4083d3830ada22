import { useState } from 'preact/hooks';
import {
  withChangedVariation,
  withoutVariation,
  withVariation,
} from '../../../../shared/flags/edits/variationEdits.ts';
import type { Flag, Variation, VariationType } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { problemOfValue } from '../../../../shared/flags/variationValue.ts';
import { DescriptionList, Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { Dot } from '../../../ui/shareBar.tsx';
import { sentence } from '../api/request.ts';
import { InlineForm } from '../documents/inlineForm.tsx';
import type { FlagEditProps } from './rolloutFields.tsx';

const EDIT = 'edit-variations';

/** The values that a flag can serve. */
export function VariationsSection({ flag, onChange }: FlagEditProps) {
  const { opened, open, close } = useOpened(() => EDIT);
  const edit = !flag.isArchived && opened === undefined && (
    <Button text="Edit" id={EDIT} kind="small" label="Edit the variations" onClick={() => open(EDIT)} />
  );
  return (
    <Section title="Variations" about={`Type ${flag.variationType}. The type cannot be changed.`} actions={edit}>
      {opened ? (
        <VariationsForm flag={flag} onChange={onChange} onClose={close} />
      ) : (
        <DescriptionList
          class="variations"
          items={flag.variations.map(({ id, value }, index) => [
            <>
              <Dot index={index} />
              {nameOfVariation(flag, id)}
            </>,
            <code>{value}</code>,
          ])}
        />
      )}
    </Section>
  );
}

function VariationsForm({ flag, onChange, onClose }: FlagEditProps & { readonly onClose: () => void }) {
  const [rows, setRows] = useState<readonly Variation[]>(flag.variations);
  return (
    <InlineForm onDone={() => onChange(withVariations(flag, rows))} onClose={onClose}>
      <VariationRows type={flag.variationType} rows={rows} least={1} onChange={setRows} />
    </InlineForm>
  );
}

/** @throws {InvalidInput} for a value of another type, a duplicate name, or a removed variation that is still served */
function withVariations(flag: Flag, rows: readonly Variation[]): Flag {
  const removed = flag.variations.filter(({ id }) => !rows.some((row) => row.id === id));
  const kept = removed.reduce(withoutVariation, flag);
  return rows.reduce((changed, row, index) => {
    const named = { ...row, name: row.name || defaultName(flag.variationType, row.value, index) };
    const before = flag.variations.find(({ id }) => id === row.id);
    if (!before) return withVariation(changed, named);
    const isUnchanged = before.value === row.value && before.name === row.name;
    return isUnchanged ? changed : withChangedVariation(changed, before, { name: named.name, value: row.value });
  }, kept);
}

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

export interface VariationRowsProps {
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
      {type === 'json' ? <textarea rows={5} {...attributes} /> : <input autocomplete="off" {...attributes} />}
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
