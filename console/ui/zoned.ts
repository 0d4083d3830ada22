/** A time that was planned, in the time zone of this browser. */
export function formatZoned(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}
