import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** How many forms hold something that is in no draft yet. */
export const openForms = signal(0);

/** Counts the form that calls it while it is there, and puts the focus into its first field. @returns what the form is to be known by */
export function useOpenForm() {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    openForms.value += 1;
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      openForms.value -= 1;
    };
  }, []);
  return form;
}
