import { formatTime } from '../../ui/zoned.ts';
import type { UsageBar } from '../../usage.ts';

/** The label of a time on an axis. Empty between minutes, so that each minute is named once. @param seconds unix seconds */
export function minuteText(seconds: number): string {
  return seconds % 60 === 0 ? formatTime(seconds * 1_000, 'short') : '';
}

/** The start of an hour or day on an axis in UTC: `06:00` with the time zone below, or `Nov 26` at midnight. @param seconds unix seconds */
export function tickText(seconds: number, isHourly: boolean): string {
  const at = new Date(seconds * 1_000);
  if (isHourly && seconds % 86_400 !== 0) return `${at.toISOString().slice(11, 16)}\nUTC`;
  return at.toLocaleDateString(undefined, { timeZone: 'UTC', month: 'short', day: 'numeric' });
}

/** The time that a chart's bars are about: the whole period, or since the first bar that is not empty. */
export function spanText(bars: readonly UsageBar[]): string {
  const isHourly = bars[0]?.at.includes('T') ?? false;
  const first = bars.findIndex(({ counts }) => Object.values(counts).some((count) => count > 0));
  const at = bars[first]?.at ?? '';
  if (first < 1) return isHourly ? '24 hours, UTC' : '30 days, UTC';
  return isHourly ? `since ${at.slice(11)}:00 UTC` : `since ${tickText(Date.parse(at) / 1_000, false)}, UTC`;
}
