import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { announce } from '../../../ui/announcement.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialogForm.tsx';
import { messageOf } from '../api/failure.ts';
import { useChangeSignature } from './changeSignature.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly environment: EnvironmentName;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Whether it changes flags or segments, so that a reason may be given. */
  readonly isInHistory?: boolean;
  /** Whether all that is asked for was written. */
  readonly isReady?: boolean;
  /** Shows a failure at its field. @returns whether it has such a field */
  readonly takeFailure?: (error: unknown) => boolean;
  /** Whether it deletes something. */
  readonly isDangerous?: boolean;
  /** Does it. @param signature for the body of the request. @returns what was done, in words, and what follows them */
  readonly act: (signature: {
    readonly remark?: string;
    readonly confirm?: string;
  }) => Promise<string | { readonly text: string; readonly more: ComponentChildren }>;
}

/** Asks before something is done to an environment: to its keys, settings or history. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    action,
    environment,
    children,
    onClose,
    isInHistory = false,
    isReady = true,
    isDangerous = false,
    takeFailure,
    act,
  } = props;
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { isConfirmed, signature, fields } = useChangeSignature(environment, isInHistory);
  const submit = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const done = await act(signature);
      onClose();
      if (typeof done === 'string') announce(done);
      else announce(done.text, done.more);
    } catch (error) {
      if (!takeFailure?.(error)) setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        problem={failure}
        action={action}
        isDisabled={isBusy || !isConfirmed || !isReady}
        isDangerous={isDangerous}
        onSubmit={submit}
        onCancel={onClose}
      >
        {children}
        {fields}
      </DialogForm>
    </Dialog>
  );
}
