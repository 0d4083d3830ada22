/** An instant as FeatBit writes it: ISO 8601 with `Z` or an offset, with 0 to 7 fraction digits. */
const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Unix milliseconds of an ISO 8601 instant, digits beyond the third cut off (not rounded), as FeatBit's server does.
 *
 * @returns undefined when the text is not such an instant
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
 * The ISO 8601 form of unix milliseconds with exactly three fraction digits and `Z`: the one form that every SDK
 * reads alike (the Python SDK rounds longer fractions, the others cut them).
 */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}
