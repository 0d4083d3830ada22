import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MESSAGE_LIMIT_BYTES } from '../../../shared/protocol/message.ts';
import type { Connection } from '../transport/transport.ts';

/** Time limit for a client's first message, in milliseconds. SDKs ask for data immediately. */
const FIRST_MESSAGE_TIMEOUT_MS = 30_000;

/**
 * A connection without a message for this time (in milliseconds) is silent. By default SDKs ping every 18 seconds, and
 * a background page every minute.
 */
const SILENT_AFTER_MS = 90_000;

/**
 * The open connections. It closes a connection that sends no message for the idle timeout. SDKs ping far more often
 * (shared/protocol/ping.ts), so the client is gone without a report from the network. It also closes a connection that
 * sends nothing in its first half minute.
 *
 * A client may send part of a message, which takes up to {@link MESSAGE_LIMIT_BYTES}, and never finish it. Neither
 * server reports this. When the process is short of memory, the number of silent connections is therefore limited to
 * the messages that fit their share. The longest silent are closed first.
 */
export class OpenConnections {
  readonly #idleMs: number;
  readonly #mostSilent: number;
  readonly #monotonic: () => number;
  readonly #isShortOfMemory: () => boolean;
  /** The monotonic time of each connection's last message, or of its opening. */
  readonly #heardAt = new Map<Connection, number>();
  /** Connections that have not sent anything yet. */
  readonly #unheard = new Set<Connection>();
  readonly #timer: NodeJS.Timeout;

  /** @param unfinishedBytes memory limit for unfinished messages of silent clients, when memory is short */
  constructor(idleMs: number, unfinishedBytes: number, monotonic: () => number, isShortOfMemory = takesHalfOfMemory) {
    this.#idleMs = idleMs;
    this.#monotonic = monotonic;
    this.#isShortOfMemory = isShortOfMemory;
    this.#mostSilent = Math.floor(unfinishedBytes / MESSAGE_LIMIT_BYTES);
    this.#timer = setInterval(() => this.#closeSilent(), Math.min(idleMs, FIRST_MESSAGE_TIMEOUT_MS) / 4);
    this.#timer.unref();
  }

  get size(): number {
    return this.#heardAt.size;
  }

  /** Adds an opened connection. Its first message is due. */
  opened(connection: Connection): void {
    this.#heardAt.set(connection, this.#monotonic());
    this.#unheard.add(connection);
  }

  /** Records a message of a connection. */
  heard(connection: Connection): void {
    this.#heardAt.set(connection, this.#monotonic());
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

  /** Closes all connections evenly over a time, so that their SDKs do not all reconnect at once. */
  async drain(overMs: number): Promise<void> {
    const leaving = [...this.#heardAt.keys()];
    const startedAt = this.#monotonic();
    for (const [index, connection] of leaving.entries()) {
      const wait = startedAt + (overMs * index) / leaving.length - this.#monotonic();
      if (wait > 0) await sleep(wait);
      connection.close(1001, 'the server is restarting');
    }
    // Terminate connections that have not answered the close frame.
    for (let waited = 0; this.size > 0 && waited < 1_000; waited += 20) await sleep(20);
    for (const connection of this.#heardAt.keys()) connection.terminate();
  }

  // If it does not answer the close, its transport terminates it.
  #closeSilent(): void {
    const now = this.#monotonic();
    const silent: [heardAt: number, Connection][] = [];
    for (const [connection, heardAt] of this.#heardAt) {
      const silentMs = now - heardAt;
      if (silentMs > this.#idleMs) connection.close(1001, 'idle timeout');
      else if (silentMs > FIRST_MESSAGE_TIMEOUT_MS && this.#unheard.has(connection))
        connection.close(1001, 'no message');
      else if (silentMs > SILENT_AFTER_MS) silent.push([heardAt, connection]);
    }
    const tooMany = silent.length - this.#mostSilent;
    // Otherwise clients with long ping intervals keep their connections.
    if (tooMany <= 0 || !this.#isShortOfMemory()) return;
    silent.sort(([a], [b]) => a - b);
    for (const [, connection] of silent.slice(0, tooMany)) connection.close(1001, 'too many silent connections');
  }
}

/** Whether the process uses more than half of its memory limit. */
function takesHalfOfMemory(): boolean {
  return process.memoryUsage.rss() > Math.min(process.constrainedMemory(), totalmem()) / 2;
}
