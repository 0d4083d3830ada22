import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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

/** A button that copies a text. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      announce(`Copied ${what}.`);
      setTimeout(() => setDone(false), 2_000);
    } catch {
      complain('The browser does not allow this page to copy. Select the text and copy it yourself.');
    }
  };
  return <Button text={isDone ? 'Copied' : 'Copy'} kind="small" label={`Copy ${what}`} onClick={copy} />;
}
