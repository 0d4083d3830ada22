import { effect, signal } from '@preact/signals';
import { route } from './route.ts';

/** The key of the flag that was looked at last. */
export const lastFlagKey = signal<string | undefined>(undefined);

effect(() => {
  const { view, id } = route.value;
  if ((view === 'flags' || view === 'evaluate') && id !== undefined) lastFlagKey.value = id;
});
