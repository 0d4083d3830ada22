import { useState } from 'preact/hooks';
import { VARIATION_TYPES, type Variation, type VariationType } from '../../../../shared/flags/flag.ts';
import { newFlag } from '../../../../shared/flags/flagEdits.ts';
import { InvalidInput } from '../../../../shared/flags/invalidInput.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialogForm.tsx';
import { Field, TextField } from '../../../ui/field.tsx';
import { uuid } from '../../../ui/uuid.ts';
import { messageOf } from '../api/failure.ts';
import { find } from '../state/content.ts';
import { ask } from '../state/review.ts';
import { go, route } from '../state/route.ts';
import { VariationRow } from './variationRow.tsx';

const BEGIN_WITH: Readonly<Record<VariationType, readonly string[]>> = {
  boolean: ['true', 'false'],
  string: ['', ''],
  number: ['', ''],
  json: ['', ''],
};

const rowsOf = (type: VariationType): readonly Variation[] =>
  BEGIN_WITH[type].map((value) => ({ id: uuid(), name: value, value }));

/** Asks what a new flag is to be; it begins off. */
export function NewFlagDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const [type, setType] = useState<VariationType>('boolean');
  const [rows, setRows] = useState(() => rowsOf('boolean'));
  const [problem, setProblem] = useState<string>();
  const next = () => {
    try {
      if (find('flag', key)) throw new InvalidInput(`There is a flag “${key}” already.`);
      if (rows.length < 2 || rows.some(({ value }) => value === '' && type !== 'string')) {
        throw new InvalidInput('Give two variations or more, each with a value.');
      }
      const made = newFlag(uuid, {
        key,
        name: name.trim() || key,
        variationType: type,
        values: rows.map(({ value }) => value),
      });
      const variations = made.variations.map((variation, index) => ({
        ...variation,
        name: rows[index]?.name?.trim() || variation.value,
      }));
      onClose();
      const { envId } = route.value;
      ask({
        title: `Make flag ${key}`,
        base: undefined,
        document: { kind: 'flag', document: { ...made, variations } },
        onSaved: () => go({ envId, view: 'flags', id: key }),
      });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title="New flag" onClose={onClose}>
      <DialogForm problem={problem} action="Next" onSubmit={next} onCancel={onClose}>
        <TextField
          label="Key"
          hint="Code asks for it by this: letters, digits, dots, underscores or hyphens."
          isCode
          isFirst
          value={key}
          onInput={setKey}
        />
        <TextField label="Name" hint="For people; the key if it stays empty." value={name} onInput={setName} />
        <Field label="Type">
          {({ id }) => (
            <Choice
              id={id}
              label="Type"
              value={type}
              options={VARIATION_TYPES.map((each) => ({ value: each, text: each }))}
              onChange={(chosen) => {
                setType(chosen);
                setRows(rowsOf(chosen));
              }}
            />
          )}
        </Field>
        {type !== 'boolean' && (
          <>
            <p class="label">Variations</p>
            {rows.map((row, index) => (
              <VariationRow
                key={row.id}
                number={index + 1}
                type={type}
                variation={row}
                onChange={(changed) => setRows(rows.with(index, changed))}
                onRemove={rows.length > 2 ? () => setRows(rows.toSpliced(index, 1)) : undefined}
              />
            ))}
            <button type="button" class="small" onClick={() => setRows([...rows, { id: uuid(), name: '', value: '' }])}>
              Add a variation
            </button>
          </>
        )}
        <p class="hint">It begins off: everybody gets the last variation, and once it is on the first.</p>
      </DialogForm>
    </Dialog>
  );
}
