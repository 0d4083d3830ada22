import { WorkloadError } from '../model/workload/workload.ts';

/** A period to read. */
export interface TimeSpan {
  readonly from: Date;
  readonly to: Date;
}

/** How long CloudWatch keeps metrics. */
const KEPT_DAYS = 455;
const DAY_MS = 86_400_000;

/**
 * Reads start and end. By default the end is now, and the start a day before the end.
 *
 * @throws {WorkloadError} naming the option that is not valid
 */
export function readTimeSpan(from: string | undefined, to: string | undefined, now: number): TimeSpan {
  const end = to === undefined ? now : readTime('--to', to);
  const begin = from === undefined ? end - DAY_MS : readTime('--from', from);
  if (begin >= end) throw new WorkloadError('--from must be before --to');
  if (begin > now) throw new WorkloadError(`--from ${from} is in the future`);
  if (now - begin > KEPT_DAYS * DAY_MS)
    throw new WorkloadError(
      `--from ${from} is more than ${KEPT_DAYS} days ago: CloudWatch keeps metrics for ${KEPT_DAYS} days`,
    );
  return { from: new Date(begin), to: new Date(Math.min(end, now)) };
}

/** Hours of a time span. */
export function hoursOf({ from, to }: TimeSpan): number {
  return (to.getTime() - from.getTime()) / 3_600_000;
}

function readTime(option: string, text: string): number {
  const [date = ''] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  // 31 November would be the first of December.
  const isDay = date !== '' && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date);
  const time = isDay ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new WorkloadError(`${option} ${text} is not valid: write 2026-11-01 or 2026-11-01T12:00Z`);
  return time;
}
