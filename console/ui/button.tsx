import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'class' | 'label'> {
  readonly text: ComponentChildren;
  /** Accessible name, if the text does not name the object. */
  readonly label?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly icon?: IconNode;
  readonly kind?: 'primary' | 'danger' | 'small' | 'small danger' | 'quiet' | 'link';
}

/** A button that does not submit a form. */
export function Button({ text, label, icon, kind, ...attributes }: ButtonProps) {
  return (
    <button {...attributes} type="button" class={kind} aria-label={label}>
      {icon && <Icon of={icon} />}
      {text}
    </button>
  );
}

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
