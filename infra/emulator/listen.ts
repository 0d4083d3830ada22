import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from './websocket/refuse.ts';

/** A server that listens, and refuses everyone with 503 until it is opened. */
interface Listening {
  readonly port: number;
  /** Hands the server over to the listeners that `serve` attaches. */
  open(serve: (server: Server) => void): void;
  /** Stops listening, ends idle connections at once, and the others when they are done or `graceMs` is over. */
  stop(graceMs: number): Promise<void>;
}

/**
 * A server that treats WebSocket upgrades as such and answers a request for any other (`h2c`, which some HTTP clients
 * offer each time) as if it had not asked.
 */
function createGatewayServer(): Server {
  return createServer({
    // A client that reuses a connection in the moment in which it is given up sees a reset: longer than clients keep one.
    keepAliveTimeout: 120_000,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
}

/**
 * Starts a server on 127.0.0.1.
 *
 * @param port 0 for any free one.
 * @throws Error naming the port and the way out when it is taken.
 */
export async function listen(port: number): Promise<Listening> {
  const server = createGatewayServer();
  const notReady = JSON.stringify({ message: 'Service Unavailable' });
  const refuse = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(503, { 'Content-Type': 'application/json', Connection: 'close' }).end(notReady);
  };
  const refuseSocket = (_request: IncomingMessage, socket: Duplex) => refuseUpgrade(socket, 503, notReady);
  server.on('request', refuse).on('upgrade', refuseSocket);

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} on 127.0.0.1 is already in use; choose another with --port <number>`;
      reject(error.code === 'EADDRINUSE' ? new Error(taken, { cause: error }) : error);
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  let stopped: Promise<void> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    open(serve) {
      server.off('request', refuse).off('upgrade', refuseSocket);
      serve(server);
    },
    stop: (graceMs) => {
      stopped ??= stop(server, graceMs);
      return stopped;
    },
  };
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
