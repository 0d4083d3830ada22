import { log } from './log.ts';

/** Lines of one kind a minute; more are counted and told of in one. */
const LINES_A_MINUTE = 10;

/** Writes lines of which there may be thousands a second, such as refused connections, without flooding the log. */
export class LimitedLog {
  readonly #now: () => number;
  #minute = 0;
  /** How often each kind was to be written in this minute. */
  readonly #counts = new Map<string, number>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param kind what is counted together, and the line's message; few kinds, of our own making */
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
      if (count > LINES_A_MINUTE) log.warn('lines of one kind were left out', { kind, count: count - LINES_A_MINUTE });
    }
    this.#counts.clear();
    this.#minute = minute;
  }
}
