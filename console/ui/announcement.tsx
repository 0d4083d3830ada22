import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

interface Announcement {
  readonly text: string;
  readonly isProblem: boolean;
  /** Content after the text, such as a button. */
  readonly more?: ComponentChildren;
}

const SHOWN_MS = 8_000;

const announcement = signal<Announcement | undefined>(undefined);
let timer: ReturnType<typeof setTimeout>;

/** Shows a result. It disappears after some seconds. */
export function announce(text: string, more?: ComponentChildren): void {
  announcement.value = { text, isProblem: false, more };
  clearTimeout(timer);
  timer = setTimeout(dismiss, SHOWN_MS);
}

/** Shows a problem until it is dismissed or replaced. */
export function complain(text: string, more?: ComponentChildren): void {
  clearTimeout(timer);
  announcement.value = { text, isProblem: true, more };
}

export function dismiss(): void {
  announcement.value = undefined;
}

/** The last result or problem, which screen readers read. */
export function Announcements() {
  const said = announcement.value;
  return (
    <div class="announcements" aria-live="polite" aria-atomic="true">
      {said && (
        <p class={said.isProblem ? 'notice bad' : 'notice good'}>
          <span>
            {said.text}
            {said.more}
          </span>
          <Button text="✕" kind="quiet" label="Dismiss" onClick={dismiss} />
        </p>
      )}
    </div>
  );
}
