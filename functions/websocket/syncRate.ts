/** Data-syncs that a connection may ask for at once. An SDK asks when it connects, and again for another user. */
const BURST = 20;

/** How often it may go on asking, in milliseconds. */
const EVERY_MS = 1_000;

/** Connections of which one instance knows how often they asked, so that its memory is bounded. */
export const MAX_CONNECTIONS = 10_000;

/** Whether a data-sync may be answered, and how many of its connection were refused since it last paused, this one included. */
export interface RateDecision {
  readonly kind: 'admitted' | 'refused';
  readonly times: number;
}

/** A token bucket, kept as the time at which it is full again, and what it refused since it was last full. */
interface Bucket {
  readonly fullAt: number;
  readonly refused: number;
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
    const { fullAt, refused } = known && known.fullAt > now ? known : { fullAt: now, refused: 0 };
    const isAdmitted = fullAt - now <= (BURST - 1) * EVERY_MS;
    const next = isAdmitted ? { fullAt: fullAt + EVERY_MS, refused } : { fullAt, refused: refused + 1 };
    this.#buckets.delete(connectionId);
    this.#buckets.set(connectionId, next);
    if (this.#buckets.size > MAX_CONNECTIONS) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest as string);
    }
    return { kind: isAdmitted ? 'admitted' : 'refused', times: next.refused };
  }
}
