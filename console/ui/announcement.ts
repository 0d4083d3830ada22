import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** What was last done or went wrong, for eyes and for screen readers. */
export interface Announcement {
  readonly text: string;
  readonly isProblem: boolean;
  /** What follows the text, such as a button. */
  readonly more?: ComponentChildren;
}

const SHOWN_MS = 8_000;

export const announcement = signal<Announcement | undefined>(undefined);
let timer: ReturnType<typeof setTimeout>;

/** Says what was done; it goes by itself. */
export function announce(text: string, more?: ComponentChildren): void {
  announcement.value = { text, isProblem: false, more };
  clearTimeout(timer);
  timer = setTimeout(dismiss, SHOWN_MS);
}

/** Says what went wrong; it stays until it is dismissed, or something else is said. */
export function complain(text: string): void {
  clearTimeout(timer);
  announcement.value = { text, isProblem: true };
}

export function dismiss(): void {
  announcement.value = undefined;
}
