import { useState } from 'preact/hooks';
import { asDeleted } from '../../../../shared/flags/deletion.ts';
import { duplicateFlag } from '../../../../shared/flags/duplicate.ts';
import type { VersionedFlag } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import { useCheckedField } from '../../../ui/checkedField.ts';
import { DialogButton } from '../../../ui/dialogButton.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/formDialog.tsx';
import { ask } from '../state/review.ts';
import { goTo } from '../state/route.ts';
import { KEY_FIELD, keyProblem } from './newFlagDialog.tsx';

/** Duplicates or deletes a flag, without unsaved edits. */
export function FlagActions({ stored }: { readonly stored: VersionedFlag }) {
  const flag = stored.document;
  const remove = () =>
    ask({
      title: `Delete ${flag.key}`,
      note: 'SDKs return the default in your code. The key can be used again. Undo in the history brings the flag back.',
      base: stored,
      document: { kind: 'flag', document: asDeleted(flag) },
      onSaved: () => goTo('flags'),
    });
  return (
    <>
      {!flag.isArchived && (
        <DialogButton text="Duplicate" dialog={(close) => <DuplicateFlagDialog stored={stored} onClose={close} />} />
      )}
      <Button text="Delete" kind="danger" onClick={remove} />
    </>
  );
}

function DuplicateFlagDialog({ stored, onClose }: { readonly stored: VersionedFlag; readonly onClose: () => void }) {
  const { value: key, isValid, field } = useCheckedField(keyProblem);
  const [name, setName] = useState('');
  const next = () => {
    if (!isValid()) return;
    onClose();
    const document = duplicateFlag(stored.document, () => crypto.randomUUID(), { key, name: name.trim() || key });
    ask({
      title: `Create flag ${key}`,
      base: undefined,
      document: { kind: 'flag', document },
      onSaved: () => goTo('flags', key),
    });
  };
  return (
    <FormDialog title={`Duplicate ${stored.document.key}`} action="Review" onSubmit={next} onClose={onClose}>
      <TextField {...KEY_FIELD} {...field} />
      <TextField label="Name" hint="Shown here. Defaults to the key." value={name} onInput={setName} />
      <p class="hint">
        The new flag has the same type, variations, targets, rules, rollout, tags and on/off state. Percentages select
        other users, as they depend on the key.
      </p>
    </FormDialog>
  );
}
