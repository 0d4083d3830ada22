import { log } from './log.ts';

/** Lines of one kind a minute; the others are counted, and one line reports how many. */
const LINES_A_MINUTE = 10;

type Level = 'info' | 'warn' | 'error';

/** Limits lines that could be thousands a second, such as refused connections. */
export class LimitedLog {
  readonly #now: () => number;
  #minute = 0;
  /** Lines of each kind in this minute, written or not. */
  readonly #counts = new Map<string, { count: number; readonly level: Level }>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  readonly info = this.#write.bind(this, 'info');
  readonly warn = this.#write.bind(this, 'warn');
  readonly error = this.#write.bind(this, 'error');

  /** @param kind the line's message, by which lines are counted; a constant */
  #write(level: Level, kind: string, details: Readonly<Record<string, unknown>>): void {
    const minute = Math.floor(this.#now() / 60_000);
    if (minute !== this.#minute) this.#begin(minute);
    const count = (this.#counts.get(kind)?.count ?? 0) + 1;
    this.#counts.set(kind, { count, level });
    if (count <= LINES_A_MINUTE) log[level](kind, details);
  }

  #begin(minute: number): void {
    for (const [kind, { count, level }] of this.#counts) {
      if (count <= LINES_A_MINUTE) continue;
      // A level that hides the lines hides their count too.
      log[level === 'info' ? 'info' : 'warn']('repeated log lines left out', { kind, count: count - LINES_A_MINUTE });
    }
    this.#counts.clear();
    this.#minute = minute;
  }
}
