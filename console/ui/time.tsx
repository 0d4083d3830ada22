import { signal } from '@preact/signals';
import { ago, formatZoned } from './zoned.ts';

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 5_000);

interface TimeProps {
  /** Unix milliseconds. */
  readonly at: number;
  /** True to show the day and time in place of how long ago it was. */
  readonly isExact?: boolean;
}

/** A time for people. The tooltip has it in ISO 8601. */
export function Time({ at, isExact = false }: TimeProps) {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {isExact ? formatZoned(at) : ago(at, Math.max(now.value, at))}
    </time>
  );
}
