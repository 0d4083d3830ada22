import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

interface DialogButtonProps extends ButtonProps {
  readonly dialog: (close: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
