const DAY_MS = 86_400_000;
const NEAR_DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' };

/**
 * Formats a time for people, in the time zone of this machine: `today 21:20`, `28 Nov 21:20`, `28 Nov 2025 21:20`.
 *
 * @param at unix milliseconds
 * @param now unix milliseconds
 */
export function timeText(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  const days = Math.round((midnight(date) - midnight(today)) / DAY_MS);
  const year = date.getFullYear() === today.getFullYear() ? '' : ` ${date.getFullYear()}`;
  const month = date.toLocaleDateString('en-US', { month: 'short' });
  return `${NEAR_DAYS[days] ?? `${date.getDate()} ${month}${year}`} ${date.toTimeString().slice(0, 5)}`;
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Whom a text is for. */
export interface Reader {
  /** Unix milliseconds. */
  readonly now: number;
  /** How the history names the reader, if all changes are made on one machine. */
  readonly own?: string | undefined;
}

/**
 * A stored author, command or reason for people: times as {@link timeText}, plans without their ids, and the reader as
 * `you`.
 */
export function plainText(text: string, { now, own }: Reader): string {
  const plain = text
    .replace(/^plan p-\w+ of /, 'a plan of ')
    .replace(/^guard .*/s, (guard) => guard.replace(/ of p-\w{1,40} of /, ' of a plan of '))
    .replace(/(?:(?<= )at )?\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/g, (_, time) => timeText(Date.parse(time), now));
  return own ? plain.replaceAll(`a plan of ${own}`, 'your plan').replaceAll(own, 'you') : plain;
}
