import { MESSAGE_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import { BODY_LIMIT_BYTES } from '../http/body.ts';
import { BunTransport } from './bunTransport.ts';
import { isHost } from './hostHeader.ts';
import type { Listener, Service } from './service.ts';
import { streamingQuery } from './streamingQuery.ts';
import type { TlsIdentity } from './tlsFiles.ts';

/** The shortest `idleTimeout` in seconds that ends only quiet connections: Bun looks every four, and counts less than two looks wrongly. */
const SHORTEST_IDLE = 8;

/** The longest `idleTimeout` that Bun takes, in seconds. */
const LONGEST_IDLE = 255;

/** From so many unread bytes on, the server's own pongs are dropped: they would pile up for a client that reads nothing. */
const UNREAD_PONGS = 1_024;

/**
 * Serves by Bun's own server. It cuts off a client that takes more than ten seconds to send the head of a request, whatever
 * HEADERS_TIMEOUT_MS says, and looks for quiet HTTP connections every four seconds.
 */
export async function serve({ config, app, onOpen, isStopping }: Service, tls?: TlsIdentity): Promise<Listener> {
  const { host, reusePort, unreadTimeoutMs } = config;
  const open = (port: number, identity?: TlsIdentity) =>
    Bun.serve<BunTransport>({
      hostname: host,
      port,
      // Bun takes another certificate only for another server, which must come to the same port.
      reusePort: reusePort || identity !== undefined,
      ...(identity ? { tls: { cert: identity.cert, key: identity.key } } : {}),
      development: false,
      // For HTTP; WebSockets have a timeout of their own.
      idleTimeout: Math.max(SHORTEST_IDLE, Math.min(LONGEST_IDLE, Math.ceil(unreadTimeoutMs / 1_000))),
      // So much of a body is in memory before anybody asks for it; the app says what is wrong with one that exceeds its own limit.
      maxRequestBodySize: 2 * BODY_LIMIT_BYTES,
      fetch(request, server) {
        if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
          return isHost(request.headers.get('host')) ? app.fetch(withHost(request), {}) : refusal(400);
        }
        if (isStopping()) return refusal(503, RETRY_AFTER);
        const query = streamingQuery(targetOf(request.url));
        if (!query) return refusal(404);
        const data = new BunTransport((transport) => onOpen(transport, query), unreadTimeoutMs);
        return server.upgrade(request, { data }) ? undefined : refusal(400);
      },
      websocket: {
        maxPayloadLength: MESSAGE_LIMIT_BYTES,
        backpressureLimit: UNREAD_PONGS,
        perMessageDeflate: false,
        idleTimeout: 0,
        sendPings: false,
        open: (socket) => socket.data.open(socket),
        message(socket, data) {
          if (typeof data === 'string') socket.data.events?.onMessage(data);
          else socket.close(1003, 'Unsupported data');
        },
        drain: (socket) => socket.data.drain(),
        close: (socket) => socket.data.closed(),
      },
    });
  let server = open(config.port, tls);
  const port = server.port ?? config.port;
  const servers = new Set([server]);
  return {
    port,
    renew(identity) {
      const former = server;
      server = open(port, identity);
      servers.add(server);
      void former.stop().then(() => servers.delete(former));
    },
    close: () => void server.stop(),
    endAll() {
      for (const each of servers) void each.stop(true);
    },
  };
}

function refusal(status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { connection: 'close', ...headers } });
}

/** HTTP/1.0 takes no `Host`, and a balancer's checks send none: Bun's URL is a path then, and the app looks for one behind a host. */
function withHost(request: Request): Request {
  return request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;
}

/** What a client asked for, by the URL that Bun makes of it. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}
