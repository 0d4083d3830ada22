import type { Context, Handler } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { RETRY_AFTER } from '../../../shared/protocol/retryAfter.ts';
import { authenticateSecret } from '../../../shared/store/authenticate.ts';
import type { Watcher } from '../feeds/watchers.ts';
import type { ConnectionDeps } from './serveConnection.ts';

/** Dependencies of event streams. */
interface EventStreamDeps extends Pick<ConnectionDeps, 'secrets' | 'grants' | 'feeds' | 'open' | 'budgets' | 'events'> {
  /** While unavailable, streams get 503. @param address of the client, if that has a budget */
  readonly isUnavailable: (address: string | undefined) => boolean;
  /** Interval of comments, in milliseconds. They keep proxies and this server's own timeout from closing the stream. */
  readonly keepAliveMs: number;
}

/**
 * Serves OFREP's event stream. Each event announces an acknowledged version of the environment, and the client then requests the
 * flags, from this host or another one. The first event announces the current version, unless the client has it. So no change between
 * its last request and this stream is lost.
 */
export function eventStreamRoute(deps: EventStreamDeps): Handler {
  return async (context: Context) => {
    // Nothing else would end a stream that is not read.
    if (context.req.method !== 'GET') return context.body(null, 405, { allow: 'GET' });
    const { address } = context.env as { readonly address?: string };
    const refuse = () =>
      context.json({ errorDetails: 'this host cannot hold another connection now' }, 503, RETRY_AFTER);
    if (deps.isUnavailable(address)) return refuse();
    const found = await authenticateSecret(deps.secrets, context.req.query('key') ?? '', 'client');
    if (!('grant' in found)) {
      deps.events.onRefused(found.reason);
      return context.json({ errorDetails: found.reason }, 401);
    }
    const { envId } = found.grant;
    const { version } = await deps.feeds.of(envId).read();
    // Others may have opened meanwhile.
    if (deps.isUnavailable(address)) return refuse();
    const met = Number(context.req.header('last-event-id') ?? 0);
    context.header('x-accel-buffering', 'no');
    return streamSSE(context, async (sse) => {
      const stream = new EventStream(sse, met);
      const allowed = deps.budgets.connect(address);
      const release = deps.grants.hold(found, stream);
      // Requested again, because a feed without connections may have been replaced.
      const unwatch = deps.feeds.of(envId).watch(stream, version.updatedAt);
      deps.open.heard(stream);
      const keepAlive = setInterval(() => {
        deps.open.heard(stream);
        stream.showLife();
      }, deps.keepAliveMs);
      await stream.ended;
      clearInterval(keepAlive);
      deps.open.forget(stream);
      allowed.release();
      unwatch();
      release(stream);
    });
  };
}

/** An open event stream. While the client has unread events, only the newest version is queued. */
export class EventStream implements Watcher {
  readonly #sse: SSEStreamingApi;
  /** The version of the last sent event. */
  #sentVersion: number;
  #newest: number;
  #notified = -1;
  #isUnread = false;
  readonly ended: Promise<void>;
  #end = () => {};

  /** @param met version of the last event of an earlier stream */
  constructor(sse: SSEStreamingApi, met: number) {
    this.#sse = sse;
    this.#sentVersion = met;
    this.#newest = met;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    sse.onAbort(this.#end);
  }

  notify(version: number): void {
    if (version <= this.#notified) return;
    this.#notified = version;
    this.#newest = version;
    this.#tell();
  }

  #tell(): void {
    if (this.#sentVersion === this.#newest || this.#isUnread) return;
    this.#sentVersion = this.#newest;
    const data = JSON.stringify({ type: 'refetchEvaluation' });
    this.#write(this.#sse.writeSSE({ id: String(this.#sentVersion), data }));
  }

  /** Sends a comment, unless the client has unread events. */
  showLife(): void {
    if (!this.#isUnread) this.#write(this.#sse.write(':\n\n'));
  }

  #write(written: Promise<unknown>): void {
    this.#isUnread = true;
    void written.then(() => {
      this.#isUnread = false;
      this.#tell();
    });
  }

  /** The client always reconnects. */
  close(): void {
    this.#end();
  }

  terminate(): void {
    this.#end();
    this.#sse.abort();
  }
}
