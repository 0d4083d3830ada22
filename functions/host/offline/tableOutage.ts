/** Divides the maximum outage into intervals between checks of the table. An outage is measured with this precision. */
const ASKED_PER_OUTAGE = 3;

/** Dependencies of measuring an outage. */
interface TableOutageDeps {
  /** Reads from the table. @throws if it cannot be reached */
  readonly ask: () => Promise<unknown>;
  readonly onAnswered: () => void;
  readonly onFailed: (error: unknown) => void;
  /** Milliseconds, on the monotonic clock. */
  readonly now: () => number;
}

/** Measures for how long the table has not answered. It also checks the table while no client is connected. */
export class TableOutage {
  readonly #maxMs: number;
  readonly #deps: TableOutageDeps;
  #answeredAt: number;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param maxMs the maximum outage to tolerate, in milliseconds. By default, any */
  constructor(deps: TableOutageDeps, maxMs = Number.POSITIVE_INFINITY) {
    this.#maxMs = maxMs;
    this.#deps = deps;
    this.#answeredAt = deps.now();
  }

  /** Starts to check the table, if the outage is limited. */
  watch(): void {
    if (this.#maxMs < Number.POSITIVE_INFINITY)
      this.#timer = setInterval(() => void this.look(), this.#maxMs / ASKED_PER_OUTAGE);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Checks the table, unless the last check is still running. */
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

  /** Records a successful read by other code. */
  answered(): void {
    this.#answeredAt = this.#deps.now();
    this.#deps.onAnswered();
  }

  /** Whether the outage is longer than allowed. */
  get isTooLong(): boolean {
    return this.#ms > this.#maxMs;
  }

  /** @throws if the outage is longer than allowed */
  requireAnswer(): void {
    if (!this.isTooLong) return;
    throw new Error(
      `the table has not answered for ${Math.round(this.#ms)} ms, more than MAX_TABLE_OUTAGE_MS (${this.#maxMs})`,
    );
  }

  get #ms(): number {
    return this.#deps.now() - this.#answeredAt;
  }
}
