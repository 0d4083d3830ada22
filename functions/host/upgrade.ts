import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import { streamingQuery } from './streamingQuery.ts';
import { CLOSE_TIMEOUT_MS } from './transport.ts';
import type { Upgrade } from './wsTransport.ts';

/** Whether a request that asks for another protocol asks for a WebSocket: for Node's `shouldUpgradeCallback`. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answers requests that ask for a protocol other than WebSocket, such as `Upgrade: h2c`, as if they did not, and closes
 * the connection after that: Node's parser drops whatever follows such a request in the same packet, be it a whole request or part of one.
 */
export function answerOtherUpgrades(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    return listener(request, response);
  };
}

/** Takes requests for a WebSocket at `/streaming`. At other paths they are refused with 404, while stopping with 503. */
export function serveUpgrades(server: Server, upgrade: Upgrade, isStopping: () => boolean): void {
  server.on('upgrade', (request, socket: Socket, head) => {
    socket.on('error', () => {});
    const query = streamingQuery(request.url ?? '');
    if (isStopping()) refuse(socket, '503 Service Unavailable', RETRY_AFTER);
    else if (!query) refuse(socket, '404 Not Found');
    else upgrade(request, socket, head, query);
  });
}

function refuse(socket: Socket, status: string, headers: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' });
  socket.write(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  // A client that does not read is not waited for.
  socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
  // `end` alone waits for the other side to end as well, which it may never do.
  socket.destroySoon();
}
