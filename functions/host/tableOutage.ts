/** How often the table is asked, in parts of the longest outage: the last answer is at most so much older than the outage. */
const ASKED_PER_OUTAGE = 3;

/** What measuring an outage needs. */
interface TableOutageDeps {
  /** Asks the table. @throws when it cannot be reached */
  readonly ask: () => Promise<unknown>;
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds, on the monotonic clock. */
  readonly now: () => number;
}

/** For how long the table has not answered. It is asked now and then, also while nobody is connected. */
export class TableOutage {
  readonly #maxMs: number;
  readonly #deps: TableOutageDeps;
  #answeredAt: number;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param maxMs the longest outage that counts for nothing, in milliseconds */
  constructor(maxMs: number, deps: TableOutageDeps) {
    this.#maxMs = maxMs;
    this.#deps = deps;
    this.#answeredAt = deps.now();
  }

  /** Begins to ask the table. */
  watch(): void {
    this.#timer = setInterval(() => void this.look(), this.#maxMs / ASKED_PER_OUTAGE);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Asks the table, unless the last look still waits for its answer. */
  async look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#deps.ask();
      this.answered();
    } catch (error) {
      this.#deps.onFailed(error);
    } finally {
      this.#isAsking = false;
    }
  }

  /** Takes note of an answer that somebody else had. */
  answered(): void {
    this.#answeredAt = this.#deps.now();
  }

  /** @throws when the table has not answered for longer than it may */
  requireAnswer(): void {
    const ms = this.#deps.now() - this.#answeredAt;
    if (ms <= this.#maxMs) return;
    throw new Error(`the table has not answered for ${Math.round(ms)} ms, and MAX_TABLE_OUTAGE_MS is ${this.#maxMs}`);
  }
}
