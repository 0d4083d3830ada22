import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Alert } from './blocks.tsx';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  /** Whether the browser's Back leaves it open. */
  readonly staysOnBack?: boolean;
}

/** A modal dialog. It keeps the focus, closes on Escape and the browser's Back, and returns the focus. */
export function Dialog({ title, children, onClose, staysOnBack = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    // The marked button or field, or the title. Browsers would focus the close button.
    const first = dialog?.querySelector<HTMLElement>('[data-first]:not(:disabled)') ?? dialog?.querySelector('h2');
    first?.focus();
    // What it is about belongs to the page that was left.
    if (!staysOnBack) addEventListener('popstate', onClose);
    return () => {
      removeEventListener('popstate', onClose);
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      // The element that opened it may have disappeared, such as a saved draft.
      setTimeout(() => {
        if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true });
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header class="dialog-head">
        <h2 tabIndex={-1}>{title}</h2>
        <Button text="✕" kind="quiet" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

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
