import type { Variation, VariationType } from '../../../../shared/flags/flag.ts';
import { requireValueOfType } from '../../../../shared/flags/variationValue.ts';
import { messageOf } from '../api/failure.ts';

interface VariationRowProps {
  readonly number: number;
  readonly type: VariationType;
  readonly variation: Variation;
  readonly onChange: (variation: Variation) => void;
  readonly onRemove?: (() => void) | undefined;
}

/** A variation's name and value, with what is wrong with the value as it is typed. */
export function VariationRow({ number, type, variation, onChange, onRemove }: VariationRowProps) {
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
    <fieldset class="variation">
      <legend class="hidden">Variation {number}</legend>
      <input
        aria-label={`Name of variation ${number}`}
        placeholder="name"
        value={name}
        autocomplete="off"
        onInput={(event) => onChange({ ...variation, name: event.currentTarget.value })}
      />
      {type === 'json' ? <textarea rows={3} {...attributes} /> : <input autocomplete="off" {...attributes} />}
      {onRemove && (
        <button type="button" class="quiet" aria-label={`Remove variation ${number}`} onClick={onRemove}>
          ✕
        </button>
      )}
      {problem && <p class="problem">{problem}</p>}
    </fieldset>
  );
}

function problemOf(type: VariationType, value: string): string | undefined {
  try {
    requireValueOfType(type, value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
