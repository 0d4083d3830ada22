import { useState } from 'preact/hooks';
import type { IssuedSecret } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/formDialog.tsx';
import { messageOf } from '../api/failure.ts';
import { request } from '../api/request.ts';
import { NewSecrets } from '../keys/newSecrets.tsx';
import { remember } from '../state/issued.ts';
import { go } from '../state/route.ts';
import { isAddingEnvironment, noteEnvironment } from '../state/session.ts';

/** Asks for the name of a new environment, and shows its keys once. */
export function NewEnvironmentDialog() {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
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
    try {
      const { environment, secrets } = await request('POST environments', { body: { name: name.trim() } });
      remember(secrets);
      setMade({ id: environment.id, secrets });
      noteEnvironment(environment);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <FormDialog
      title="New environment"
      action="Create environment"
      isDisabled={name.trim() === ''}
      onSubmit={make}
      onClose={close}
    >
      <TextField
        label="Name"
        hint="Each environment has its own flags, segments and keys, for example dev, staging, prod."
        value={name}
        onInput={(text) => {
          setProblem(undefined);
          setName(text);
        }}
        problem={problem}
        isFirst
      />
    </FormDialog>
  );
}
