import { MESSAGE_LIMIT_BYTES } from '../../../shared/protocol/message.ts';
import { RETRY_AFTER } from '../../../shared/protocol/retryAfter.ts';
import { BODY_LIMIT_BYTES } from '../../http/body.ts';
import { requestUnits } from '../budgets/clientBudgets.ts';
import { BunTransport } from './bunTransport.ts';
import { isHost } from './hostHeader.ts';
import { countPipelined } from './pipelining.ts';
import type { Listener, Service } from './service.ts';
import { streamingQuery } from './streamingQuery.ts';
import type { TlsIdentity } from './tlsFiles.ts';

/**
 * Minimum `idleTimeout` in seconds that closes only idle connections. Bun checks every four seconds, and is inaccurate
 * below two checks.
 */
const SHORTEST_IDLE = 8;

/** Bun's maximum `idleTimeout`, in seconds. */
const LONGEST_IDLE = 255;

/**
 * Unread bytes above which the server's own pongs are dropped. Otherwise they accumulate for a client that does not
 * read.
 */
const UNREAD_PONGS = 1_024;

/**
 * Serves with Bun's server. Bun closes a client that takes more than ten seconds for a request's head, regardless of
 * HEADERS_TIMEOUT_MS. It checks for idle HTTP connections every four seconds.
 */
export async function serve(service: Service, tls?: TlsIdentity): Promise<Listener> {
  const { config, app, onOpen, budgets, isUnavailable } = service;
  const mayAnswer = countPipelined();
  const { host, reusePort, unreadTimeoutMs, compressMessages } = config;
  const open = (port: number, identity?: TlsIdentity) =>
    Bun.serve<BunTransport>({
      hostname: host,
      port,
      // Bun needs a new server for a new certificate, on the same port.
      reusePort: reusePort || identity !== undefined,
      ...(identity ? { tls: { cert: identity.cert, key: identity.key } } : {}),
      development: false,
      // Applies to HTTP. WebSockets have a separate timeout.
      idleTimeout: Math.max(SHORTEST_IDLE, Math.min(LONGEST_IDLE, Math.ceil(unreadTimeoutMs / 1_000))),
      // Bun buffers this much of a body before the app reads it. The app reports bodies above its own limit.
      maxRequestBodySize: 2 * BODY_LIMIT_BYTES,
      fetch(request, server) {
        // A client that has gone has no address.
        const client = server.requestIP(request);
        if (client && !mayAnswer(client)) {
          budgets.onExceeded('pipelining');
          return refusal(429, RETRY_AFTER);
        }
        const address = budgets.addressOf(client?.address, () => request.headers.get('x-forwarded-for'));
        if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
          if (!isHost(request.headers.get('host'))) return refusal(400);
          const units = () => requestUnits(new URL(request.url).pathname, (name) => request.headers.get(name));
          return budgets.answer(address, units, () => app.fetch(withHost(request), { address }));
        }
        if (isUnavailable(address)) return refusal(503, RETRY_AFTER);
        const query = streamingQuery(targetOf(request.url));
        if (!query) return refusal(404);
        const data = new BunTransport(query, address, unreadTimeoutMs);
        return server.upgrade(request, { data }) ? undefined : refusal(400);
      },
      websocket: {
        maxPayloadLength: MESSAGE_LIMIT_BYTES,
        backpressureLimit: UNREAD_PONGS,
        // Shared compressors need no memory for each connection. They keep nothing of a message for the next.
        perMessageDeflate: compressMessages && { compress: 'shared', decompress: 'shared' },
        idleTimeout: 0,
        sendPings: false,
        open: (socket) => socket.data.open(socket, onOpen),
        message(socket, data) {
          if (typeof data === 'string') socket.data.events?.onMessage(data);
          else socket.close(1003, 'Unsupported data');
        },
        // Bun answers pings itself.
        ping: (socket, data) => socket.data.events?.onControl(data.length),
        pong: (socket, data) => socket.data.events?.onControl(data.length),
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

/**
 * HTTP/1.0 requires no `Host`, and a load balancer's checks send none. Bun's URL is then only a path, but the app needs
 * a host.
 */
function withHost(request: Request): Request {
  return request.url.startsWith('/') ? new Request(`http://localhost${request.url}`, request) : request;
}

/** The requested path and query, from Bun's URL. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2));
}
