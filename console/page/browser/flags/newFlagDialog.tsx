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
import { ChoiceField, TextField, useCheckedField } from '../../../ui/field.tsx';
import { mergeTexts } from '../../../ui/mergeTexts.ts';
import { Dot } from '../../../ui/shareBar.tsx';
import { keyFromName } from '../../logic/flagKey.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { createDocument } from '../documents/createDocument.ts';
import { content, find } from '../state/content.ts';
import { useEnvironment } from '../state/session.ts';
import { defaultName, VariationRows, type VariationRowsProps } from './variationsSection.tsx';

const rowsOf = (type: VariationType): readonly Variation[] =>
  (type === 'boolean' ? ['true', 'false'] : ['', '']).map((value) => ({ id: crypto.randomUUID(), name: value, value }));

interface NewFlagDialogProps {
  /** The flag to duplicate. */
  readonly from?: Flag;
  /** What the fields of a new flag have at first. */
  readonly sample?: Pick<Flag, 'name' | 'description' | 'tags'>;
  readonly onClose: () => void;
}

/** Creates a flag. New flags are off, unless they are duplicates. */
export function NewFlagDialog({ from, sample, onClose }: NewFlagDialogProps) {
  const environment = useEnvironment();
  const [name, setName] = useState(sample?.name ?? '');
  const { value: key, isValid, field } = useCheckedField(keyProblem, keyFromName(name));
  const [type, setType] = useState<VariationType>('boolean');
  const [rows, setRows] = useState(() => rowsOf('boolean'));
  const [description, setDescription] = useState(sample?.description ?? '');
  const [tags, setTags] = useState(sample?.tags.join(', ') ?? '');
  const made = () => {
    const named = { key, name: name.trim() || key };
    if (from) return duplicateFlag(from, () => crypto.randomUUID(), named);
    return { ...flagOf(type, rows, named), description: description.trim(), tags: mergeTexts([], tags).items };
  };
  return (
    <ConfirmDialog
      title={from ? `Duplicate ${from.key}` : `New flag in ${environment.name}`}
      action="Create flag"
      busy="Creating …"
      isInHistory={content.value?.environment.requiresReason ?? false}
      isReady={isValid}
      onClose={onClose}
      act={async (signature) => createDocument(environment, { kind: 'flag', document: made() }, signature)}
    >
      <div class="two">
        <TextField label="Name" placeholder="New checkout" value={name} onInput={setName} isFirst />
        <TextField label="Key" hint="The key your code uses. You cannot change it later." isCode {...field} />
      </div>
      {from ? (
        <p class="hint">
          The new flag has the same type, variations, targets, rules, rollout, tags and on/off state. Percentages select
          other users, as they depend on the key.
        </p>
      ) : (
        <>
          <div class="two">
            <ChoiceField
              label="Type"
              hint="You cannot change the type later."
              value={type}
              options={VARIATION_TYPES}
              onChange={(chosen) => {
                setType(chosen);
                setRows(rowsOf(chosen));
              }}
            />
            <TextField label="Tags" hint="Separate several with commas." value={tags} onInput={setTags} />
          </div>
          {type !== 'boolean' && (
            <>
              <p class="label">Variations</p>
              <VariationRows type={type} rows={rows} least={2} onChange={setRows} />
            </>
          )}
          <TextField label="Description" value={description} rows={2} onInput={setDescription} />
          <StartSentence type={type} rows={rows} />
        </>
      )}
    </ConfirmDialog>
  );
}

/** What a new flag serves. */
function StartSentence({ type, rows }: Pick<VariationRowsProps, 'type' | 'rows'>) {
  const variation = (index: number) => (
    <>
      <Dot index={index} />
      <b>{nameOf(type, rows, index) || `variation ${index + 1}`}</b>
    </>
  );
  return (
    <p>
      The flag starts off: everybody gets {variation(rows.length - 1)}. Turned on, everybody gets {variation(0)}.
    </p>
  );
}

function nameOf(type: VariationType, rows: readonly Variation[], index: number): string {
  const { name = '', value = '' } = rows[index] ?? {};
  return name.trim() || defaultName(type, value, index);
}

/** @throws {InvalidInput} for missing or invalid values */
function flagOf(variationType: VariationType, rows: readonly Variation[], named: Pick<Flag, 'key' | 'name'>): Flag {
  if (rows.some(({ value }) => value === '' && variationType !== 'string'))
    throw new InvalidInput('Add at least two variations, each with a value.');
  const values = rows.map(({ value }) => value);
  const made = newFlag(() => crypto.randomUUID(), { ...named, variationType, values });
  const variations = made.variations.map((each, n) => ({ ...each, name: nameOf(variationType, rows, n) }));
  return { ...made, variations };
}

function keyProblem(key: string): string | undefined {
  if (key === '') return 'Enter a key.';
  if (!FLAG_KEY_PATTERN.test(key)) return 'Use letters, digits, dots, underscores or hyphens; at most 128 characters.';
  if (problemOfNewKey(key)) return `Choose another key: ${problemOfNewKey(key)}.`;
  return find('flag', key) && 'A flag with this key already exists.';
}
