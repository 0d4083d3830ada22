import { log } from '../log.ts';

/** Lines of one kind a minute; more are counted and told of in one. */
const LINES_A_MINUTE = 10;

/** Writes warnings of which there may be thousands a second, such as refused connections, without flooding the log. */
export class LimitedLog {
  readonly #now: () => number;
  readonly #kinds = new Map<string, { minute: number; lines: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param kind what is counted together; few kinds, of our own making */
  warn(kind: string, details: Readonly<Record<string, unknown>>): void {
    const minute = Math.floor(this.#now() / 60_000);
    const before = this.#kinds.get(kind);
    const lines = before?.minute === minute ? before.lines + 1 : 1;
    this.#kinds.set(kind, { minute, lines });
    if (before && before.minute !== minute && before.lines > LINES_A_MINUTE) {
      log.warn(`${kind}: ${before.lines - LINES_A_MINUTE} more of these were left out`);
    }
    if (lines <= LINES_A_MINUTE) log.warn(kind, details);
  }
}
