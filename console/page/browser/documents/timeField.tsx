import type { AriaAttributes } from 'preact';
import { Field } from '../../../ui/field.tsx';
import { formatZoned } from '../../../ui/zoned.ts';

interface TimeProps {
  /** As `localTime` formats it. Empty while incomplete. */
  readonly time: string;
  readonly onTime: (time: string) => void;
}

/** A picker of a date and a time, in the browser's time zone. */
export function TimeInput({ time, onTime, ...attributes }: TimeProps & AriaAttributes & { readonly id?: string }) {
  return (
    <input {...attributes} type="datetime-local" value={time} onInput={(event) => onTime(event.currentTarget.value)} />
  );
}

/** A field for the time of a scheduled change. */
export function TimeField({ time, onTime }: TimeProps) {
  const at = Date.parse(time);
  // Also invalid years.
  const hint = !Number.isNaN(at) && `Changes ${formatZoned(at)}`;
  return (
    <Field label={`Time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`} hint={hint}>
      {(attributes) => <TimeInput {...attributes} time={time} onTime={onTime} />}
    </Field>
  );
}
