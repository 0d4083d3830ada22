import type { Connection } from './transport.ts';

/**
 * The connections that are open. One that has sent nothing for the idle timeout is closed: SDKs ping far
 * more often (shared/protocol/ping.ts), so its client is gone, and the network did not report it.
 */
export class OpenConnections {
  readonly #idleMs: number;
  /** When each sent something last, by a clock that never jumps. */
  readonly #heardAt = new Map<Connection, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
    this.#timer = setInterval(() => this.#closeIdle(), idleMs / 4);
    this.#timer.unref();
  }

  get size(): number {
    return this.#heardAt.size;
  }

  /** All of them, as they are now. */
  all(): Connection[] {
    return [...this.#heardAt.keys()];
  }

  /** It was opened, or has sent something. */
  heard(transport: Connection): void {
    this.#heardAt.set(transport, performance.now());
  }

  forget(transport: Connection): void {
    this.#heardAt.delete(transport);
  }

  /** Stops closing idle connections. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #closeIdle(): void {
    const tooLongAgo = performance.now() - this.#idleMs;
    for (const [transport, heardAt] of this.#heardAt) {
      // One that does not answer the close is cut off by its transport.
      if (heardAt < tooLongAgo) transport.close(1001, 'idle timeout');
    }
  }
}
