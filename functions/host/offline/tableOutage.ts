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

/**
 * Measures for how long the table has not answered. It also checks the table while no client is connected.
 *
 * @param maxMs the maximum outage to tolerate, in milliseconds. By default, any
 */
export function measureOutage(
  { ask, onAnswered, onFailed, now }: TableOutageDeps,
  maxMs: number = Number.POSITIVE_INFINITY,
) {
  let answeredAt = now();
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;
  const outage = {
    /** Starts to check the table, if the outage is limited. */
    watch() {
      if (maxMs < Number.POSITIVE_INFINITY) timer = setInterval(() => void outage.look(), maxMs / ASKED_PER_OUTAGE);
    },
    stop: () => clearInterval(timer),
    /** Checks the table, unless the last check is still running. */
    async look() {
      if (isAsking) return;
      isAsking = true;
      try {
        await ask();
        outage.answered();
      } catch (error) {
        onFailed(error);
      } finally {
        isAsking = false;
      }
    },
    /** Records a successful read by other code. */
    answered() {
      answeredAt = now();
      onAnswered();
    },
    /** Whether the outage is longer than allowed. */
    get isTooLong() {
      return now() - answeredAt > maxMs;
    },
    /** @throws if the outage is longer than allowed */
    requireAnswer() {
      if (!outage.isTooLong) return;
      const ms = Math.round(now() - answeredAt);
      throw new Error(`the table has not answered for ${ms} ms, more than MAX_TABLE_OUTAGE_MS (${maxMs})`);
    },
  };
  return outage;
}
