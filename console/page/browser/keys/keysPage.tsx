import { useState } from 'preact/hooks';
import type { IssuedSecret } from '../../../api.ts';
import { DialogButton } from '../../../ui/dialogButton.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { Section } from '../documents/section.tsx';
import { load } from '../state/content.ts';
import { remember } from '../state/issued.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';
import { NewKeyDialog } from './newKeyDialog.tsx';
import { NewSecrets } from './newSecrets.tsx';
import { Preview } from './preview.tsx';
import { SecretTable } from './secretTable.tsx';
import { Snippets } from './snippets.tsx';

/** Keys, a snippet for each SDK, and an SDK in the page. */
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
      <Preview />
      <Snippets />
    </>
  );
}
