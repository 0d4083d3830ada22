/** Burst of data-syncs of a connection. An SDK asks when it connects, and again for another user. */
const BURST = 20;

/** Time for each further data-sync, in milliseconds. */
const EVERY_MS = 1_000;

/** Connections that one instance tracks; bounds its memory. */
export const MAX_CONNECTIONS = 10_000;

/** A data-sync that is not admitted. */
export interface Refusal {
  readonly kind: 'refused';
  /** Refusals of the connection since its last pause, including this one. */
  readonly times: number;
  /** Whether the previous data-sync was admitted. */
  readonly isFirst: boolean;
}

/** Whether a data-sync is admitted. */
type RateDecision = Refusal | { readonly kind: 'admitted' };

/** A token bucket, stored as the time at which it is full again, and the refusals since it was last full. */
interface Bucket {
  readonly fullAt: number;
  readonly refused: number;
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
    const known = this.#buckets.get(connectionId);
    const bucket = known && known.fullAt > now ? known : { fullAt: now, refused: 0, isRefusing: false };
    const { fullAt, refused } = bucket;
    const isAdmitted = fullAt - now <= (BURST - 1) * EVERY_MS;
    const next = isAdmitted
      ? { fullAt: fullAt + EVERY_MS, refused, isRefusing: false }
      : { fullAt, refused: refused + 1, isRefusing: true };
    this.#buckets.delete(connectionId);
    this.#buckets.set(connectionId, next);
    if (this.#buckets.size > MAX_CONNECTIONS) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest as string);
    }
    return isAdmitted ? { kind: 'admitted' } : { kind: 'refused', times: next.refused, isFirst: !bucket.isRefusing };
  }
}
