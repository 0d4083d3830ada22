import { totalmem } from 'node:os';
import { MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import type { Connection } from './transport.ts';

/** How long a client may take to send its first message; SDKs ask for data at once. */
const FIRST_MESSAGE_TIMEOUT_MS = 30_000;

/** A connection that has sent no message for as long is silent: SDKs ping every 18 seconds unless they are set otherwise, a page in the background each minute. */
const SILENT_AFTER_MS = 90_000;

/**
 * The connections that are open. One that has sent no message for the idle timeout is closed: SDKs ping far
 * more often (shared/protocol/ping.ts), so its client is gone, and the network did not report it. So is one that has never
 * sent any within half a minute.
 *
 * Neither server says whether a client has begun a message that it does not end, which takes up to
 * {@link MESSAGE_LIMIT_BYTES}. So while the process is short of memory, as many connections may be silent as such messages fit
 * into their share of it; of more, those that have been silent longest are closed.
 */
export class OpenConnections {
  readonly #idleMs: number;
  readonly #mostSilent: number;
  readonly #isShortOfMemory: () => boolean;
  /** When each sent something last, or was opened, on the monotonic clock. */
  readonly #heardAt = new Map<Connection, number>();
  /** Those that have sent nothing yet. */
  readonly #unheard = new Set<Connection>();
  readonly #timer: NodeJS.Timeout;

  /** @param unfinishedBytes what messages that silent clients do not end may take together when memory is short */
  constructor(idleMs: number, unfinishedBytes: number, isShortOfMemory = takesHalfOfMemory) {
    this.#idleMs = idleMs;
    this.#isShortOfMemory = isShortOfMemory;
    this.#mostSilent = Math.floor(unfinishedBytes / MESSAGE_LIMIT_BYTES);
    this.#timer = setInterval(() => this.#closeSilent(), Math.min(idleMs, FIRST_MESSAGE_TIMEOUT_MS) / 4);
    this.#timer.unref();
  }

  get size(): number {
    return this.#heardAt.size;
  }

  /** All of them, as they are now. */
  all(): Connection[] {
    return [...this.#heardAt.keys()];
  }

  /** It was opened, and its client is to send something. */
  opened(connection: Connection): void {
    this.#heardAt.set(connection, performance.now());
    this.#unheard.add(connection);
  }

  /** It has sent a message. */
  heard(connection: Connection): void {
    this.#heardAt.set(connection, performance.now());
    this.#unheard.delete(connection);
  }

  forget(connection: Connection): void {
    this.#heardAt.delete(connection);
    this.#unheard.delete(connection);
  }

  /** Stops closing silent connections. */
  stop(): void {
    clearInterval(this.#timer);
  }

  // One that does not answer the close is cut off by its transport.
  #closeSilent(): void {
    const now = performance.now();
    const silent: [heardAt: number, Connection][] = [];
    for (const [connection, heardAt] of this.#heardAt) {
      const silentMs = now - heardAt;
      if (silentMs > this.#idleMs) connection.close(1001, 'idle timeout');
      else if (silentMs > FIRST_MESSAGE_TIMEOUT_MS && this.#unheard.has(connection))
        connection.close(1001, 'no message');
      else if (silentMs > SILENT_AFTER_MS) silent.push([heardAt, connection]);
    }
    const tooMany = silent.length - this.#mostSilent;
    // Otherwise clients with long pauses between their pings keep their connections.
    if (tooMany <= 0 || !this.#isShortOfMemory()) return;
    silent.sort(([a], [b]) => a - b);
    for (const [, connection] of silent.slice(0, tooMany)) connection.close(1001, 'too many silent connections');
  }
}

/** Whether the process takes more than half of the memory that it may take. */
function takesHalfOfMemory(): boolean {
  return process.memoryUsage.rss() > Math.min(process.constrainedMemory(), totalmem()) / 2;
}
