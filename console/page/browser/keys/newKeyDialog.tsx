import { useState } from 'preact/hooks';
import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { IssuedSecret } from '../../../api.ts';
import { ChoiceField } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { useEnvironment } from '../state/shownEnvironment.ts';

// Only the type, because the module needs Node.
const TYPES = ['server', 'client'] as const satisfies readonly SecretType[];

interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onIssued: (secrets: readonly IssuedSecret[]) => void;
}

/** Asks for a new key's name and type. */
export function NewKeyDialog({ onClose, onIssued }: NewKeyDialogProps) {
  const environment = useEnvironment();
  const [name, setName] = useState('');
  const [type, setType] = useState<SecretType>('server');
  return (
    <ConfirmDialog
      title="New key"
      action="Create key"
      onClose={onClose}
      act={async (confirm) => {
        const body = { name: name.trim() || type, type, ...confirm };
        const secret = await request('POST environments/:env/secrets', { env: environment.id, body });
        onIssued([secret]);
        return `Created key “${secret.name}”.`;
      }}
    >
      <TextField label="Name" hint="Where it is used, for example a service." value={name} onInput={setName} isFirst />
      <ChoiceField
        label="Type"
        hint="client: for browsers and apps. They receive the values of one user. server: for services. They receive all flags and rules."
        value={type}
        options={TYPES}
        onChange={setType}
      />
    </ConfirmDialog>
  );
}
