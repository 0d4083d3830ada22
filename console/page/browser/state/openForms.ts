import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Number of open forms whose input is not in a draft. */
export const openForms = signal(0);

/** Counts the form while it is open, and focuses its first field. @returns the ref of the form */
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
