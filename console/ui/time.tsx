import { signal } from '@preact/signals';
import { ago, formatZoned } from './zoned.ts';

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 5_000);

interface TimeProps {
  /** Unix milliseconds. */
  readonly at: number;
  /** True to show the exact time too. Otherwise it is a tooltip. */
  readonly isExact?: boolean;
}

/** A relative time. */
export function Time({ at, isExact = false }: TimeProps) {
  const since = ago(at, Math.max(now.value, at));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatZoned(at)}>
      {isExact ? `${formatZoned(at)} (${since})` : since}
    </time>
  );
}
