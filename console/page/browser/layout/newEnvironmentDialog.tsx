import { useState } from 'preact/hooks';
import type { IssuedSecret } from '../../../api.ts';
import { TextField, useCheckedField } from '../../../ui/field.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { NewSecrets } from '../keys/newSecrets.tsx';
import { remember } from '../state/content.ts';
import { go } from '../state/route.ts';
import { environments, isAddingEnvironment, noteEnvironment } from '../state/session.ts';

/** Asks for the name of a new environment, and shows its keys once. */
export function NewEnvironmentDialog() {
  const { value: name, isValid, field } = useCheckedField(nameProblem);
  const [made, setMade] = useState<{ readonly id: string; readonly secrets: readonly IssuedSecret[] }>();
  const close = () => {
    isAddingEnvironment.value = false;
  };
  if (made) {
    const done = () => {
      close();
      go({ envId: made.id, view: 'flags' });
    };
    return <NewSecrets secrets={made.secrets} onClose={done} />;
  }
  const make = async () => {
    const { environment, secrets } = await request('POST environments', { body: { name: name.trim() } });
    remember(secrets);
    setMade({ id: environment.id, secrets });
    noteEnvironment(environment);
    return undefined;
  };
  return (
    <ConfirmDialog
      title="New environment"
      action="Create environment"
      environment={{ id: '', name: '', isProduction: false }}
      isReady={isValid}
      act={make}
      onClose={close}
    >
      <TextField
        label="Name"
        hint="Each environment has its own flags, segments and keys, for example dev, staging, prod."
        {...field}
      />
    </ConfirmDialog>
  );
}

function nameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return 'Enter a name.';
  const isTaken = environments.value?.some((environment) => environment.name === name);
  return isTaken ? 'An environment with this name already exists.' : undefined;
}
