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
