/** A time with its zone, that of this browser. */
export function formatZoned(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}
