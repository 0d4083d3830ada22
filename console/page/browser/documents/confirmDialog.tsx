import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { announce } from '../../../ui/announcement.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialogForm.tsx';
import { messageOf } from '../api/failure.ts';
import { confirmed, ProductionField } from './productionField.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly environment: EnvironmentName;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Does it. @returns what was done, in words */
  readonly act: (confirm: { readonly confirm?: string }) => Promise<string>;
}

/** Asks before something is done to an environment: to its keys, settings or history. */
export function ConfirmDialog({ title, action, environment, children, onClose, act }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { isConfirmed, confirm } = confirmed(environment, typed);
  const submit = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const done = await act(confirm);
      onClose();
      announce(done);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        problem={failure}
        action={action}
        isDisabled={isBusy || !isConfirmed}
        onSubmit={submit}
        onCancel={onClose}
      >
        {children}
        <ProductionField environment={environment} typed={typed} onInput={setTyped} />
      </DialogForm>
    </Dialog>
  );
}
