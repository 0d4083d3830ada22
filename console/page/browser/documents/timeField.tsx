import { Field } from '../../../ui/field.tsx';
import { ZonedTime } from '../../../ui/time.tsx';

interface TimeFieldProps {
  /** As `datetime-local` writes it. Empty while it is incomplete. */
  readonly time: string;
  readonly onInput: (time: string) => void;
}

/** The time of a scheduled change, in the time zone of the browser. */
export function TimeField({ time, onInput }: TimeFieldProps) {
  const at = Date.parse(time);
  // Years that no date has, too.
  const hint = !Number.isNaN(at) && (
    <>
      Changes on <ZonedTime at={at} />
    </>
  );
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

/** The time in one hour, without seconds, as `datetime-local` reads it. */
export function inOneHour(): string {
  const inUtc = Date.now() + 3_600_000;
  return new Date(inUtc - new Date(inUtc).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
