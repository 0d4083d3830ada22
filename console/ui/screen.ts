import { signal } from '@preact/signals';

/** Counts changes of the window's width and colours. Components that measure or draw read it, to do so again. */
export const screenChanges = signal(0);

const changed = () => {
  screenChanges.value++;
};
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  changed();
});
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', changed);
