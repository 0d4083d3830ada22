import { Field } from '../../../ui/field.tsx';
import { formatZoned } from '../../../ui/zoned.ts';

interface TimeFieldProps {
  /** Format of `datetime-local`. Empty while incomplete. */
  readonly time: string;
  readonly onInput: (time: string) => void;
}

/** A field for the time of a scheduled change, in the browser's time zone. */
export function TimeField({ time, onInput }: TimeFieldProps) {
  const at = Date.parse(time);
  // Also invalid years.
  const hint = !Number.isNaN(at) && `Changes on ${formatZoned(at)}`;
  return (
    <Field label={`Time (${Intl.DateTimeFormat().resolvedOptions().timeZone})`} hint={hint}>
      {(attributes) => (
        <input
          {...attributes}
          type="datetime-local"
          value={time}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** One hour from now, in the format of `datetime-local`. */
export function inOneHour(): string {
  const inUtc = Date.now() + 3_600_000;
  return new Date(inUtc - new Date(inUtc).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
