import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

interface MenuProps {
  readonly text: ComponentChildren;
  /** Accessible name of the button, if the text does not say it. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that opens a box with other controls. Arrow keys move among its buttons. Escape, or a click elsewhere, closes it. */
export function Menu({ text, label, children }: MenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const items = [...(box.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])];
    const isInList = (event.target as HTMLElement).matches('select');
    if (!step || isInList || items.length === 0) return;
    event.preventDefault();
    box.current?.togglePopover(true);
    // The button that opens the menu is before the first one.
    const at = items.indexOf(event.target as HTMLElement);
    items.at((Math.max(at, step < 0 ? 0 : -1) + step) % items.length)?.focus();
  };
  return (
    <>
      <Button text={text} label={label} popovertarget={id} onKeyDown={move} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons are what the keys reach */}
      <div ref={box} id={id} popover="auto" class="menu" onKeyDown={move}>
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
