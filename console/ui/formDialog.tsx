import type { ComponentChildren } from 'preact';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';

export interface FormDialogProps extends DialogProps {
  /** The reason of a failure, below the fields. */
  readonly problem?: string | undefined;
  /** Buttons before the submit button. */
  readonly others?: ComponentChildren;
  /** Text of the submit button. */
  readonly action: string;
  readonly isDisabled?: boolean;
  /** True if it deletes something. */
  readonly isDangerous?: boolean | undefined;
  /** True if the submit button gets the focus, because no field must be filled in. */
  readonly isActionFirst?: boolean | undefined;
  readonly onSubmit: () => unknown;
}

/** A dialog with a form, and buttons to submit and to cancel. */
export function FormDialog(props: FormDialogProps) {
  const { title, children, problem, others, action, isDisabled, isDangerous, isActionFirst, onSubmit, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Alert text={problem} />
        <footer class="form-foot">
          <Button text="Cancel" onClick={onClose} />
          {others}
          <button
            type="submit"
            class={isDangerous ? 'primary danger' : 'primary'}
            data-first={isActionFirst || undefined}
            disabled={isDisabled ?? false}
          >
            {action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
