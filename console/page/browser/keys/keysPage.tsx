import { useState } from 'preact/hooks';
import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { IssuedSecret } from '../../../api.ts';
import { Heading, Section } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { Plus } from '../../../ui/icons.ts';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { load, offeredFlag, remember } from '../state/content.ts';
import { lastFlagKey } from '../state/route.ts';
import { context, may, useEnvironment } from '../state/session.ts';
import { NewSecrets } from './newSecrets.tsx';
import { SecretTable } from './secretTable.tsx';
import { Snippets } from './snippets.tsx';

/** Keys and a snippet for each SDK. */
export function KeysPage() {
  const environment = useEnvironment();
  const [issued, setIssued] = useState<readonly IssuedSecret[]>([]);
  const [chosen, setChosen] = useState<string>();
  const wanted = chosen ?? lastFlagKey.value;
  const show = (made: readonly IssuedSecret[]) => {
    remember(made);
    setIssued(made);
    void load(environment.id);
  };
  return (
    <>
      <Heading title="Keys" lead="Client keys are for browsers and apps and are public. Server keys are secret.">
        <TryLink envId={environment.id} flagKey={offeredFlag(wanted)?.document.key} />
        <DialogButton
          text="New key"
          icon={Plus}
          kind="primary"
          disabled={!may('administrator')}
          dialog={(close) => <NewKeyDialog onClose={close} onIssued={show} />}
        />
      </Heading>
      {issued.length > 0 && <NewSecrets secrets={issued} onClose={() => setIssued([])} />}
      <Section title="Keys of this environment">
        <SecretTable onIssued={show} />
      </Section>
      <Snippets wanted={wanted} onFlag={setChosen} />
    </>
  );
}

/** With `npm start`, a link to its page for the environment whose keys it keeps. Deployments have no such page. */
function TryLink({ envId, flagKey }: { readonly envId: string; readonly flagKey: string | undefined }) {
  if (context.value?.mode !== 'local' || context.value.defaultEnvironment !== envId) return null;
  const query = flagKey === undefined ? '' : `?flag=${encodeURIComponent(flagKey)}`;
  return (
    <a class="button" href={`/try${query}`} target="_blank" rel="noreferrer">
      Try it in a browser
    </a>
  );
}

// Only the type, because the module needs Node.
const TYPES = ['server', 'client'] as const satisfies readonly SecretType[];

interface NewKeyDialogProps {
  readonly onClose: () => void;
  readonly onIssued: (secrets: readonly IssuedSecret[]) => void;
}

/** Asks for a new key's name and type. */
function NewKeyDialog({ onClose, onIssued }: NewKeyDialogProps) {
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
