import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { announce } from '../../../ui/announcement.tsx';
import { FormDialog, type FormDialogProps } from '../../../ui/dialog.tsx';
import { messageOf } from '../api/request.ts';
import { useEnvironment } from '../state/session.ts';
import { useChangeSignature } from './changeSignature.tsx';

interface ConfirmDialogProps extends Omit<FormDialogProps, 'isDisabled' | 'onSubmit'> {
  /** Default: the shown one. */
  readonly environment?: EnvironmentName;
  /** True if it changes flags or segments, and can have a reason. */
  readonly isInHistory?: boolean;
  /** True if all fields are complete. */
  readonly isReady?: boolean;
  /** Text of the submit button while the action runs. */
  readonly busy?: string;
  /** Shown in place of the form, which keeps what was entered. */
  readonly instead?: ComponentChildren;
  /** Shows a failure at its field. @returns false if it has no field */
  readonly takeFailure?: (error: unknown) => boolean;
  /**
   * Runs the action.
   *
   * @param signature for the body of the request
   * @returns the success text, and more content after it. Undefined if another dialog follows
   */
  readonly act: (signature: {
    readonly remark?: string;
    readonly confirm?: string;
  }) => Promise<string | { readonly text: string; readonly more: ComponentChildren } | undefined>;
}

/** Confirms a change of an environment. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const shown = useEnvironment();
  const {
    environment = shown,
    isInHistory = false,
    isReady = true,
    busy,
    instead,
    takeFailure,
    act,
    ...dialog
  } = props;
  const { action, problem, children, onClose } = dialog;
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { isConfirmed, signature, fields } = useChangeSignature(environment, isInHistory);
  const submit = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const done = await act(signature);
      if (done === undefined) return;
      onClose();
      if (typeof done === 'string') announce(done);
      else announce(done.text, done.more);
    } catch (error) {
      if (!takeFailure?.(error)) setFailure(messageOf(error));
      setBusy(false);
    }
  };
  if (instead) return <>{instead}</>;
  return (
    <FormDialog
      {...dialog}
      problem={failure ?? problem}
      action={(isBusy && busy) || action}
      isDisabled={isBusy || !isConfirmed || !isReady}
      onSubmit={submit}
    >
      {children}
      {fields}
    </FormDialog>
  );
}
