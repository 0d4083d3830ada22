/** Data-syncs that a connection may ask for at once. An SDK asks when it connects, and again for another user. */
const BURST = 20;

/** How often it may go on asking, in milliseconds. */
const EVERY_MS = 1_000;

/** Connections of which one instance knows how often they asked, so that its memory is bounded. */
const CONNECTIONS = 10_000;

/**
 * Bounds the data-syncs of each connection that one instance of a function answers, in memory: a client that asks in a loop
 * then costs an invocation, and neither the table's time nor the function's. A token bucket for each connection, kept as
 * the time at which it is full again.
 */
export class SyncRate {
  readonly #now: () => number;
  /** The connection heard of longest ago first. */
  readonly #fullAt = new Map<string, number>();
  readonly #refused = new Set<string>();

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a data-sync. @returns whether it may be answered; if not, whether it is the first of its connection that may not */
  take(connectionId: string): 'answer' | 'first refused' | 'refused' {
    const now = this.#now();
    const fullAt = Math.max(this.#fullAt.get(connectionId) ?? now, now);
    const mayPass = fullAt - now <= (BURST - 1) * EVERY_MS;
    this.#keep(connectionId, mayPass ? fullAt + EVERY_MS : fullAt);
    if (mayPass) {
      this.#refused.delete(connectionId);
      return 'answer';
    }
    if (this.#refused.has(connectionId)) return 'refused';
    this.#refused.add(connectionId);
    return 'first refused';
  }

  #keep(connectionId: string, fullAt: number): void {
    this.#fullAt.delete(connectionId);
    this.#fullAt.set(connectionId, fullAt);
    for (const oldest of this.#fullAt.keys()) {
      if (this.#fullAt.size <= CONNECTIONS) break;
      this.#fullAt.delete(oldest);
      this.#refused.delete(oldest);
    }
  }
}
