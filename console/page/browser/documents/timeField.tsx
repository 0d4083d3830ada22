import type { AriaAttributes } from 'preact';
import { Field } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';

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
  const hint = !Number.isNaN(at) && (
    <>
      Changes <Time at={at} isExact />
    </>
  );
  return (
    <Field label="Time (local)" hint={hint}>
      {(attributes) => <TimeInput {...attributes} time={time} onTime={onTime} />}
    </Field>
  );
}
