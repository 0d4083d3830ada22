import { signal } from '@preact/signals';
import { ago } from './ago.ts';
import { formatZoned } from './zoned.ts';

const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 5_000);

interface TimeProps {
  /** Unix milliseconds. */
  readonly at: number;
  /** Shows the exact time as well; otherwise it is shown to those who point at it. */
  readonly isExact?: boolean;
}

/** How long ago something was. */
export function Time({ at, isExact = false }: TimeProps) {
  const since = ago(at, Math.max(now.value, at));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatZoned(at)}>
      {isExact ? `${formatZoned(at)} (${since})` : since}
    </time>
  );
}

/** A time that was planned, with its time zone. */
export function ZonedTime({ at }: Pick<TimeProps, 'at'>) {
  return <time dateTime={new Date(at).toISOString()}>{formatZoned(at)}</time>;
}
