import { useState } from 'preact/hooks';
import { duplicateFlag } from '../../../../shared/flags/edits/duplicate.ts';
import { newFlag } from '../../../../shared/flags/edits/flagEdits.ts';
import {
  FLAG_KEY_PATTERN,
  type Flag,
  problemOfNewKey,
  VARIATION_TYPES,
  type Variation,
  type VariationType,
} from '../../../../shared/flags/flag.ts';
import { InvalidInput } from '../../../../shared/flags/invalidInput.ts';
import { FormDialog } from '../../../ui/dialog.tsx';
import { ChoiceField, TextField, useCheckedField } from '../../../ui/field.tsx';
import { messageOf } from '../api/request.ts';
import { find } from '../state/content.ts';
import { askToCreate } from '../state/review.ts';
import { defaultName, VariationRows } from './variationsSection.tsx';

const rowsOf = (type: VariationType): readonly Variation[] =>
  (type === 'boolean' ? ['true', 'false'] : ['', '']).map((value) => ({ id: crypto.randomUUID(), name: value, value }));

interface NewFlagDialogProps {
  /** The flag to duplicate. */
  readonly from?: Flag;
  readonly onClose: () => void;
}

/** Asks for a new flag's key, name and variations. New flags are off, unless they are duplicates. */
export function NewFlagDialog({ from, onClose }: NewFlagDialogProps) {
  const { value: key, isValid, field } = useCheckedField(keyProblem);
  const [name, setName] = useState('');
  const [type, setType] = useState<VariationType>('boolean');
  const [rows, setRows] = useState(() => rowsOf('boolean'));
  const [problem, setProblem] = useState<string>();
  const changeRows = (changed: readonly Variation[]) => {
    setProblem(undefined);
    setRows(changed);
  };
  const next = () => {
    if (!isValid()) return;
    const named = { key, name: name.trim() || key };
    const create = (document: Flag) => {
      onClose();
      askToCreate({ kind: 'flag', document });
    };
    if (from) return create(duplicateFlag(from, () => crypto.randomUUID(), named));
    try {
      if (rows.length < 2 || rows.some(({ value }) => value === '' && type !== 'string')) {
        throw new InvalidInput('Add at least two variations, each with a value.');
      }
      const made = newFlag(() => crypto.randomUUID(), {
        ...named,
        variationType: type,
        values: rows.map(({ value }) => value),
      });
      const variations = made.variations.map((variation, index) => ({
        ...variation,
        name: rows[index]?.name?.trim() || defaultName(type, variation.value, index),
      }));
      create({ ...made, variations });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <FormDialog
      title={from ? `Duplicate ${from.key}` : 'New flag'}
      problem={problem}
      action="Review"
      onSubmit={next}
      onClose={onClose}
    >
      <TextField label="Key" hint="The key your code uses. You cannot change it later." isCode {...field} />
      <TextField label="Name" hint="Shown here. Defaults to the key." value={name} onInput={setName} />
      {from ? (
        <p class="hint">
          The new flag has the same type, variations, targets, rules, rollout, tags and on/off state. Percentages select
          other users, as they depend on the key.
        </p>
      ) : (
        <>
          <ChoiceField
            label="Type"
            hint="You cannot change the type later."
            value={type}
            options={VARIATION_TYPES}
            onChange={(chosen) => {
              setType(chosen);
              changeRows(rowsOf(chosen));
            }}
          />
          {type !== 'boolean' && (
            <>
              <p class="label">Variations</p>
              <VariationRows type={type} rows={rows} least={2} onChange={changeRows} />
            </>
          )}
          <p class="hint">New flags are off and serve the last variation. Turn the flag on to serve the first.</p>
        </>
      )}
    </FormDialog>
  );
}

function keyProblem(key: string): string | undefined {
  if (key === '') return 'Enter a key.';
  if (!FLAG_KEY_PATTERN.test(key)) return 'Use letters, digits, dots, underscores or hyphens; at most 128 characters.';
  if (problemOfNewKey(key)) return `Choose another key: ${problemOfNewKey(key)}.`;
  return find('flag', key) && 'A flag with this key already exists.';
}
