import { useState } from 'preact/hooks';
import { announce, complain } from './announcement.tsx';
import { Button } from './button.tsx';

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
