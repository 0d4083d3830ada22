import type { Transport } from './transport.ts';

/**
 * The connections that are open. Those that nothing has been heard of for too long are ended: SDKs ping far more
 * often (shared/protocol/ping.ts), so theirs is a client that went without a word, and whose network will never tell.
 */
export class OpenConnections {
  readonly #idleMs: number;
  /** When each was heard of last, by a clock that never jumps. */
  readonly #heardAt = new Map<Transport, number>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
    this.#sweeping = setInterval(() => this.#sweep(), idleMs / 4);
    this.#sweeping.unref();
  }

  get size(): number {
    return this.#heardAt.size;
  }

  /** All of them, as they are now. */
  all(): Transport[] {
    return [...this.#heardAt.keys()];
  }

  /** It was opened, or has sent something. */
  heard(transport: Transport): void {
    this.#heardAt.set(transport, performance.now());
  }

  forget(transport: Transport): void {
    this.#heardAt.delete(transport);
  }

  /** Ends the look-out. */
  stop(): void {
    clearInterval(this.#sweeping);
  }

  #sweep(): void {
    const tooLongAgo = performance.now() - this.#idleMs;
    for (const [transport, heardAt] of this.#heardAt) {
      // One that does not even answer this is cut off by its transport.
      if (heardAt < tooLongAgo) transport.close(1001, 'nothing was heard of you');
    }
  }
}
