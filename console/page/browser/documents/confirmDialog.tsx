import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { announce } from '../../../ui/announcement.tsx';
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
  /** True if it changes flags or segments, and can have a reason. */
  readonly isInHistory?: boolean;
  /** True if all fields are complete. */
  readonly isReady?: boolean;
  /** Shows a failure at its field. @returns false if it has no field */
  readonly takeFailure?: (error: unknown) => boolean;
  /** True if it deletes something. */
  readonly isDangerous?: boolean;
  /** Runs the action. @param signature for the body of the request @returns the success text, and more content after it */
  readonly act: (signature: {
    readonly remark?: string;
    readonly confirm?: string;
  }) => Promise<string | { readonly text: string; readonly more: ComponentChildren }>;
}

/** Confirms an action on keys, settings or history of an environment. */
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
