import { useState } from 'preact/hooks';
import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { EnvironmentName, IssuedSecret } from '../../../api.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Field, TextField } from '../../../ui/field.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';

// What the module of the type has besides is for Node.
const TYPES = ['server', 'client'] as const satisfies readonly SecretType[];

interface NewKeyDialogProps {
  readonly environment: EnvironmentName;
  readonly onClose: () => void;
  readonly onIssued: (secrets: readonly IssuedSecret[]) => void;
}

/** Asks what a new key is to be. */
export function NewKeyDialog({ environment, onClose, onIssued }: NewKeyDialogProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<SecretType>('server');
  return (
    <ConfirmDialog
      title="New key"
      action="Make it"
      environment={environment}
      onClose={onClose}
      act={async (confirm) => {
        const body = { name: name.trim() || type, type, ...confirm };
        const secret = await request('POST environments/:env/secrets', { of: { env: environment.id }, body });
        onIssued([secret]);
        return `Made key “${secret.name}”.`;
      }}
    >
      <TextField label="Name" hint="Where it is used, such as a service." value={name} onInput={setName} isFirst />
      <Field
        label="Type"
        hint="client: browsers and apps, which get their own values only. server: services, which get all flags."
      >
        {({ id }) => (
          <Choice
            id={id}
            label="Type"
            value={type}
            options={TYPES.map((each) => ({ value: each, text: each }))}
            onChange={setType}
          />
        )}
      </Field>
    </ConfirmDialog>
  );
}
