import { timeText } from '../../shared/describe/plainText.ts';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A date and time in the zone of this browser: `today 21:20`. */
export function formatZoned(at: number): string {
  return timeText(at, Date.now());
}

/** A time of the last minutes. */
export function formatTime(at: number, timeStyle: 'short' | 'medium' = 'medium'): string {
  return new Date(at).toLocaleTimeString(undefined, { timeStyle, hourCycle: 'h23' });
}

/** Formats the time since an event in the largest unit that fits. Both in unix milliseconds. */
export function ago(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1_000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? [];
  if (!unit || !length) return seconds < 10 ? 'just now' : 'seconds ago';
  const n = Math.floor(seconds / length);
  return `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}
