import { log } from './log.ts';

/** Lines of one kind a minute; the others are counted, and one line reports how many. */
const LINES_A_MINUTE = 10;

/** Limits lines that could be thousands a second, such as refused connections. */
export class LimitedLog {
  readonly #now: () => number;
  #minute = 0;
  /** Lines of each kind in this minute, written or not. */
  readonly #counts = new Map<string, number>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param kind the line's message, by which lines are counted; a constant */
  warn(kind: string, details: Readonly<Record<string, unknown>>): void {
    if (this.#admits(kind)) log.warn(kind, details);
  }

  /** @param kind as in {@link warn} */
  error(kind: string, details: Readonly<Record<string, unknown>>): void {
    if (this.#admits(kind)) log.error(kind, details);
  }

  #admits(kind: string): boolean {
    const minute = Math.floor(this.#now() / 60_000);
    if (minute !== this.#minute) this.#begin(minute);
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return count <= LINES_A_MINUTE;
  }

  #begin(minute: number): void {
    for (const [kind, count] of this.#counts) {
      if (count > LINES_A_MINUTE) log.warn('repeated log lines left out', { kind, count: count - LINES_A_MINUTE });
    }
    this.#counts.clear();
    this.#minute = minute;
  }
}
