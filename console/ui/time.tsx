import { signal } from '@preact/signals';
import { ago } from './ago.ts';

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 5_000);

/** How long ago something was, with the exact time for whoever points at it. */
export function Time({ at }: { readonly at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {ago(at, Math.max(now.value, at))}
    </time>
  );
}
