/** Data-syncs that a connection may ask for at once. An SDK asks when it connects, and again for another user. */
const BURST = 20;

/** How often it may go on asking, in milliseconds. */
const EVERY_MS = 1_000;

/** Connections of which one instance knows how often they asked, so that its memory is bounded. */
export const MAX_CONNECTIONS = 10_000;

/** Whether a data-sync may be answered. */
export type RateDecision =
  | { readonly kind: 'admitted' }
  | {
      readonly kind: 'refused';
      /** How many of its connection were refused since it last paused, this one included. */
      readonly times: number;
      /** Whether the data-sync before it was admitted. */
      readonly isFirst: boolean;
    };

/** A token bucket, kept as the time at which it is full again, and what it refused since it was last full. */
interface Bucket {
  readonly fullAt: number;
  readonly refused: number;
  readonly isRefusing: boolean;
}

/**
 * Bounds the data-syncs of each connection that one instance of a function answers, in memory: a client that asks in a
 * loop then costs an invocation, and neither the table's time nor the function's.
 */
export class SyncRate {
  readonly #now: () => number;
  /** The connection heard of longest ago first. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many connections it knows. */
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
