import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

interface MenuProps {
  readonly text: string;
  /** Accessible name of the button, if the text does not say it. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that opens a box with other controls. Escape, or a click elsewhere, closes it. */
export function Menu({ text, label, children }: MenuProps) {
  const id = useId();
  return (
    <>
      <Button text={text} label={label} popovertarget={id} />
      <div id={id} popover="auto" class="menu">
        {children}
      </div>
    </>
  );
}

/** A button in a {@link Menu}. It closes the menu, which returns the focus, before it acts. */
export function MenuItem({ onAct, ...button }: ButtonProps & { readonly onAct: () => void }) {
  return (
    <Button
      {...button}
      onClick={({ currentTarget }) => {
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onAct();
      }}
    />
  );
}
