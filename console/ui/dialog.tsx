import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

export interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A modal dialog. It keeps the focus, closes on Escape, and returns the focus. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    // The marked button or field, or the title. Browsers would focus the close button.
    const first = dialog?.querySelector<HTMLElement>('[data-first]:not(:disabled)') ?? dialog?.querySelector('h2');
    first?.focus();
    return () => {
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
