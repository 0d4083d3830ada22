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

/** The open connections of a process. */
export type OpenConnections = ReturnType<typeof createOpenConnections>;

/**
 * The open connections. It closes a connection that sends no message for the idle timeout. SDKs ping far more often
 * (shared/protocol/ping.ts), so the client is gone without a report from the network. It also closes a connection that
 * sends nothing in its first half minute.
 *
 * A client may send part of a message, which takes up to {@link MESSAGE_LIMIT_BYTES}, and never finish it. Neither
 * server reports this. When the process is short of memory, the number of silent connections is therefore limited to
 * the messages that fit their share. The longest silent are closed first.
 *
 * @param unfinishedBytes memory limit for unfinished messages of silent clients, when memory is short
 */
export function createOpenConnections(
  idleMs: number,
  unfinishedBytes: number,
  monotonic: () => number,
  isShortOfMemory = takesHalfOfMemory,
) {
  /** The monotonic time of each connection's last message, or of its opening. */
  const heardAt = new Map<Connection, number>();
  /** Connections that have not sent anything yet. */
  const unheard = new Set<Connection>();
  const timer = setInterval(closeSilent, Math.min(idleMs, FIRST_MESSAGE_TIMEOUT_MS) / 4).unref();

  // If it does not answer the close, its transport terminates it.
  function closeSilent(): void {
    const now = monotonic();
    const silent: [at: number, Connection][] = [];
    for (const [connection, at] of heardAt) {
      const silentMs = now - at;
      if (silentMs > idleMs) connection.close(1001, 'idle timeout');
      else if (silentMs > FIRST_MESSAGE_TIMEOUT_MS && unheard.has(connection)) connection.close(1001, 'no message');
      else if (silentMs > SILENT_AFTER_MS) silent.push([at, connection]);
    }
    const tooMany = silent.length - Math.floor(unfinishedBytes / MESSAGE_LIMIT_BYTES);
    // Otherwise clients with long ping intervals keep their connections.
    if (tooMany <= 0 || !isShortOfMemory()) return;
    silent.sort(([a], [b]) => a - b);
    for (const [, connection] of silent.slice(0, tooMany)) connection.close(1001, 'too many silent connections');
  }

  return {
    get size() {
      return heardAt.size;
    },
    /** Adds an opened connection. Its first message is due. */
    opened(connection: Connection) {
      heardAt.set(connection, monotonic());
      unheard.add(connection);
    },
    /** Records a message of a connection. */
    heard(connection: Connection) {
      heardAt.set(connection, monotonic());
      unheard.delete(connection);
    },
    forget(connection: Connection) {
      heardAt.delete(connection);
      unheard.delete(connection);
    },
    /** Stops closing silent connections. */
    stop: () => clearInterval(timer),
    /** Closes all connections evenly over a time, so that their SDKs do not all reconnect at once. */
    async drain(overMs: number) {
      const leaving = [...heardAt.keys()];
      const startedAt = monotonic();
      for (const [index, connection] of leaving.entries()) {
        const wait = startedAt + (overMs * index) / leaving.length - monotonic();
        if (wait > 0) await sleep(wait);
        connection.close(1001, 'the server is restarting');
      }
      // Terminate connections that have not answered the close frame.
      for (let waited = 0; heardAt.size > 0 && waited < 1_000; waited += 20) await sleep(20);
      for (const connection of heardAt.keys()) connection.terminate();
    },
  };
}

/** Whether the process uses more than half of its memory limit. */
function takesHalfOfMemory(): boolean {
  return process.memoryUsage.rss() > Math.min(process.constrainedMemory(), totalmem()) / 2;
}
