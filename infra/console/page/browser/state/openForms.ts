import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** How many forms hold something that is in no draft yet. */
export const openForms = signal(0);

/** Counts the form that calls it, while it is there. */
export function useOpenForm(): void {
  useEffect(() => {
    openForms.value += 1;
    return () => {
      openForms.value -= 1;
    };
  }, []);
}
