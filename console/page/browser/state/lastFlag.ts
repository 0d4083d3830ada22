import { effect, signal } from '@preact/signals';
import { route } from './route.ts';

const KEY = 'last flag';

/** Key of the last shown flag. It is kept for this tab. */
export const lastFlagKey = signal(sessionStorage.getItem(KEY) ?? undefined);

effect(() => {
  const { view, id } = route.value;
  if ((view !== 'flags' && view !== 'evaluate') || id === undefined) return;
  lastFlagKey.value = id;
  try {
    sessionStorage.setItem(KEY, id);
  } catch {
    // Drafts fill the tab's storage: the key is kept until the page is left.
  }
});
