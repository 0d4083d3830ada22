import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openFrontDoor } from '../frontDoor.ts';
import { NetWebSocket } from '../netTransport.ts';
import type { OnOpen, Transport } from '../transport.ts';
import { createWsUpgrade } from '../wsTransport.ts';

/** What can carry WebSockets. */
export const transports = ['net', 'ws'] as const;

/** A server that sends every message back, by one of the transports, and answers HTTP with what it was sent. */
export interface EchoServer {
  readonly port: number;
  /** Those that were opened. */
  readonly opened: Transport[];
  /** How many of them have closed. */
  closed: number;
  stop(): void;
}

/** Starts one on a free port. @param acceptsAll false leaves every connection to the HTTP server */
export async function startEchoServer(transport: (typeof transports)[number]): Promise<EchoServer> {
  const server = createServer({ headersTimeout: 1_500, connectionsCheckingInterval: 50 }, (request, response) => {
    if (request.url === '/lost') request.socket.destroy();
    else request.pipe(response);
  });
  const opened: Transport[] = [];
  const echo: EchoServer = { port: 0, opened, closed: 0, stop: () => {} };
  const onOpen: OnOpen = (socket) => {
    opened.push(socket);
    return {
      onMessage: (text) => socket.send(text),
      onClose: () => {
        echo.closed++;
      },
    };
  };
  const upgrade = createWsUpgrade(onOpen);
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, new URLSearchParams()));
  if (transport === 'net') {
    openFrontDoor(server, (socket, { target, key }, rest) => {
      if (target.startsWith('/http')) return false;
      NetWebSocket.accept(socket, key, new URLSearchParams(), rest, onOpen);
      return true;
    });
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
    for (const each of opened) each.terminate();
  };
  return Object.assign(echo, { port: (server.address() as AddressInfo).port, stop });
}
