import { useState } from 'preact/hooks';
import type { IssuedSecret } from '../../../api.ts';
import { DialogButton } from '../../../ui/dialogButton.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { Section } from '../documents/section.tsx';
import { find, load } from '../state/content.ts';
import { remember } from '../state/issued.ts';
import { lastFlagKey } from '../state/lastFlag.ts';
import { context } from '../state/session.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';
import { NewKeyDialog } from './newKeyDialog.tsx';
import { NewSecrets } from './newSecrets.tsx';
import { SecretTable } from './secretTable.tsx';
import { Snippets } from './snippets.tsx';

/** Keys and a snippet for each SDK. */
export function KeysPage() {
  const environment = useEnvironment();
  const [issued, setIssued] = useState<readonly IssuedSecret[]>([]);
  const show = (made: readonly IssuedSecret[]) => {
    remember(made);
    setIssued(made);
    void load(environment.id);
  };
  return (
    <>
      <Heading title="Keys" lead="Client keys are for browsers and apps and are public. Server keys are secret.">
        <TryLink envId={environment.id} />
        <DialogButton
          text="New key"
          kind="primary"
          dialog={(close) => <NewKeyDialog onClose={close} onIssued={show} />}
        />
      </Heading>
      {issued.length > 0 && <NewSecrets secrets={issued} onClose={() => setIssued([])} />}
      <Section title="Keys of this environment">
        <SecretTable onIssued={show} />
      </Section>
      <Snippets />
    </>
  );
}

/** With `npm start`, a link to its page for the environment whose keys it keeps. Deployments have no such page. */
function TryLink({ envId }: { readonly envId: string }) {
  if (context.value?.mode !== 'local' || context.value.defaultEnvironment !== envId) return null;
  const key = lastFlagKey.value;
  const query = key !== undefined && find('flag', key) ? `?flag=${encodeURIComponent(key)}` : '';
  return (
    <a class="button" href={`/try${query}`} target="_blank" rel="noreferrer">
      Try it in a browser
    </a>
  );
}
