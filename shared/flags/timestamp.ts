import { InvalidSyntax } from './invalidInput.ts';

/** A timestamp as FeatBit writes it: ISO 8601 with `Z` or an offset, and 0 to 7 fraction digits. */
const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Parses an ISO 8601 timestamp to unix milliseconds. Like FeatBit's server, it truncates further digits.
 *
 * @returns undefined if the text is not such a timestamp
 */
export function parseTimestamp(text: string): number | undefined {
  const match = ISO_INSTANT.exec(text);
  if (!match) return undefined;
  const [, seconds, fraction = '', zone] = match;
  const ms = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return Number.isNaN(ms) || !isOnCalendar(seconds as string) ? undefined : ms;
}

/** `Date.parse` reads 30 February as 2 March, and 24:00 as the next day. */
function isOnCalendar(dateTime: string): boolean {
  return new Date(`${dateTime}Z`).toISOString().startsWith(dateTime);
}

/**
 * Formats unix milliseconds as ISO 8601 with exactly three fraction digits and `Z`. All SDKs parse this format to the
 * same value. With more digits, the Python SDK rounds and others truncate.
 */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** Formats a duration for people: `68 ms`, `1.1 s`, `131 s`, `10 min`, `1.5 h`. A negative one, from two clocks, is `0 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 100) return `${Math.round(Math.max(0, ms))} ms`;
  if (ms < 599_500) return `${Number((ms / 1_000).toFixed(ms < 9_950 ? 1 : 0))} s`;
  if (ms < 3_570_000) return `${Math.round(ms / 60_000)} min`;
  return `${Number((ms / 3_600_000).toFixed(1))} h`;
}

/**
 * Parses a duration: `30s`, `30m`, `2h` or `1d`.
 *
 * @returns milliseconds
 * @throws {InvalidSyntax} for another text, and for more than 730 days
 */
export function parseDuration(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d*)([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidSyntax(`"${text}" is not a duration; write 30s, 30m, 2h or 1d`);
  const ms = Number(amount) * (UNITS_MS[unit] ?? 0);
  if (ms > AHEAD_LIMIT_DAYS * 86_400_000)
    throw new InvalidSyntax(`${text} is more than ${AHEAD_LIMIT_DAYS} days; write a shorter duration`);
  return ms;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** How far ahead a time can be, in days. */
const AHEAD_LIMIT_DAYS = 730;

/**
 * Parses a time that an operator plans: `2030-01-31T09:00+01:00`, `now`, or `+2h` from now.
 *
 * @param now unix milliseconds
 * @returns unix milliseconds, not before `now`
 * @throws {InvalidSyntax} for a time without a zone, in the past or far ahead
 */
export function parsePlannedTime(text: string, now: number): number {
  const [, amount, unit = ''] = /^\+(\d+)([mhd])$/.exec(text) ?? [];
  const relative = text === 'now' ? now : amount && now + Number(amount) * (UNITS_MS[unit] ?? 0);
  const at = relative || parseTimestamp(text.replace(/^(\S+T\d{2}:\d{2})(?=Z|[+-])/, '$1:00'));
  if (at === undefined) {
    throw new InvalidSyntax(
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.]\d+)?)?$/.test(text)
        ? `"${text}" has no time zone; write ${text}Z for UTC, or add your offset, such as ${text}+01:00`
        : `"${text}" is not a time; write 2030-01-31T09:00+01:00, 2030-01-31T08:00Z, now, +30m, +2h or +1d`,
    );
  }
  if (at < now) throw new InvalidSyntax(`${text} is in the past; it is ${formatTimestamp(now)} now`);
  if (at > now + AHEAD_LIMIT_DAYS * 86_400_000) {
    throw new InvalidSyntax(`${text} is more than ${AHEAD_LIMIT_DAYS} days ahead; choose an earlier time`);
  }
  return at;
}
