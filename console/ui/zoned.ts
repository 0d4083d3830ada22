const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A date and time with its zone, that of this browser. */
export function formatZoned(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });
}

/** A time of the last minutes. */
export function formatTime(at: number, timeStyle: 'short' | 'medium' = 'medium'): string {
  return new Date(at).toLocaleTimeString(undefined, { timeStyle, hourCycle: 'h23' });
}

/** Formats the time since an event in the largest unit that fits. Both in unix milliseconds. */
export function ago(at: number, now: number): string {
  const seconds = Math.floor((now - at) / 1_000);
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? [];
  if (!unit || !length) return seconds < 10 ? 'just now' : 'less than a minute ago';
  const n = Math.floor(seconds / length);
  return `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}
