import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The last result or problem, which screen readers read. */
export interface Announcement {
  readonly text: string;
  readonly isProblem: boolean;
  /** Content after the text, such as a button. */
  readonly more?: ComponentChildren;
}

const SHOWN_MS = 8_000;

export const announcement = signal<Announcement | undefined>(undefined);
let timer: ReturnType<typeof setTimeout>;

/** Shows a result. It disappears after some seconds. */
export function announce(text: string, more?: ComponentChildren): void {
  announcement.value = { text, isProblem: false, more };
  clearTimeout(timer);
  timer = setTimeout(dismiss, SHOWN_MS);
}

/** Shows a problem until it is dismissed or replaced. */
export function complain(text: string): void {
  clearTimeout(timer);
  announcement.value = { text, isProblem: true };
}

export function dismiss(): void {
  announcement.value = undefined;
}
