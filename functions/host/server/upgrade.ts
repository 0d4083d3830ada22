import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { RETRY_AFTER } from '../../../shared/protocol/retryAfter.ts';
import { CLOSE_TIMEOUT_MS } from '../transport/transport.ts';
import { streamingQuery } from './streamingQuery.ts';
import type { Upgrade } from './wsTransport.ts';

/** Whether an upgrade request is for a WebSocket. For Node's `shouldUpgradeCallback`. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answers upgrade requests for other protocols, such as `Upgrade: h2c`, without an upgrade, and then closes the
 * connection. Node's parser drops the bytes that follow such a request in the same packet.
 */
export function answerOtherUpgrades(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    return listener(request, response);
  };
}

/** Accepts WebSocket requests at `/streaming`. Other paths get 404. While unavailable, all get 503. */
export function serveUpgrades(
  server: Server,
  upgrade: Upgrade,
  isUnavailable: (request: IncomingMessage) => boolean,
): void {
  server.on('upgrade', (request, socket: Socket, head) => {
    socket.on('error', () => {});
    const query = streamingQuery(request.url ?? '');
    if (isUnavailable(request)) refuse(socket, '503 Service Unavailable', RETRY_AFTER);
    else if (!query) refuse(socket, '404 Not Found');
    else upgrade(request, socket, head, query);
  });
}

function refuse(socket: Socket, status: string, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
  socket.write(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  // Does not wait for a client that does not read.
  socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
  // `end` also waits for the other side to end, which may never happen.
  socket.destroySoon();
}
