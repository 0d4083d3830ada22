import { effect, signal } from '@preact/signals';

/** `system`: the setting of the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const kept = localStorage.getItem('theme');
export const theme = signal<Theme>(THEMES.find((each) => each === kept) ?? 'system');

effect(() => {
  const chosen = theme.value;
  localStorage.setItem('theme', chosen);
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen;
});
