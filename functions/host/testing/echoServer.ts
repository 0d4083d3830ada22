import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnOpen, Transport } from '../transport.ts';
import { createWsUpgrade } from '../wsTransport.ts';

/** A server that sends every message back by the host's transport. */
export interface EchoServer {
  readonly port: number;
  /** Those that were opened. */
  readonly opened: Transport[];
  /** How many of them have closed. */
  closed: number;
  /** How often all that waited for one of them was taken. */
  drained: number;
  stop(): void;
}

/** Starts one on a free port. @param unreadPatienceMs how long a client may read nothing of what it was sent */
export async function startEchoServer(unreadPatienceMs = 30_000): Promise<EchoServer> {
  const server = createServer();
  const opened: Transport[] = [];
  const echo: EchoServer = { port: 0, opened, closed: 0, drained: 0, stop: () => {} };
  const onOpen: OnOpen = (socket) => {
    opened.push(socket);
    return {
      onMessage: (text) => socket.send(text),
      onDrain: () => {
        echo.drained++;
      },
      onClose: () => {
        echo.closed++;
      },
    };
  };
  const upgrade = createWsUpgrade(onOpen, unreadPatienceMs);
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, new URLSearchParams()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
    for (const each of opened) each.terminate();
  };
  return Object.assign(echo, { port: (server.address() as AddressInfo).port, stop });
}
