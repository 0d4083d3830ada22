/** Burst of data-syncs of a connection. An SDK asks when it connects, and again for another user. */
const BURST = 20;

/** Time for each further data-sync, in milliseconds. */
const EVERY_MS = 1_000;

/** Connections that one instance tracks; bounds its memory. */
export const MAX_CONNECTIONS = 10_000;

/** What becomes of a data-sync. `refused first`: the one before it was admitted. */
type RateDecision = 'admitted' | 'refused first' | 'refused again';

/** A token bucket, stored as the time at which it is full again. */
interface Bucket {
  readonly fullAt: number;
  readonly isRefusing: boolean;
}

/**
 * Limits the data-syncs of each connection that one instance answers, in memory. A client that asks in a loop costs an
 * invocation, but no requests to the table.
 */
export class SyncRate {
  readonly #now: () => number;
  /** The least recently active connection first. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of tracked connections. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Counts a data-sync. */
  take(connectionId: string): RateDecision {
    const now = this.#now();
    const { fullAt, isRefusing } = this.#buckets.get(connectionId) ?? { fullAt: now, isRefusing: false };
    const from = Math.max(fullAt, now);
    const isAdmitted = from - now <= (BURST - 1) * EVERY_MS;
    this.#buckets.delete(connectionId);
    this.#buckets.set(connectionId, { fullAt: isAdmitted ? from + EVERY_MS : from, isRefusing: !isAdmitted });
    if (this.#buckets.size > MAX_CONNECTIONS) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest as string);
    }
    return isAdmitted ? 'admitted' : isRefusing ? 'refused again' : 'refused first';
  }
}
