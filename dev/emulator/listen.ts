import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from './websocket/refuse.ts';

/** Answers a request that is for none of AWS's services. @returns whether it was one */
export type OwnRequests = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A server that listens, and refuses everyone with 503 until it is opened. */
export type Listening = Awaited<ReturnType<typeof listen>>;

/**
 * A server that treats WebSocket upgrades as such and answers a request for any other (`h2c`, which some HTTP clients
 * offer each time) as if it had not asked.
 */
function createGatewayServer(): Server {
  const server = createServer({
    // A client that reuses a connection in the moment in which it is given up sees a reset: longer than clients keep one.
    keepAliveTimeout: 120_000,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  // The server no longer handles errors of this socket, and a reset would end the process.
  return server.on('upgrade', (_request, socket) => socket.on('error', () => socket.destroy()));
}

/** The path of a request, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}

/** The address that only this machine reaches. */
export const LOOPBACK = '127.0.0.1';

/** Checks whether a server that listens there is for this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Starts a server.
 *
 * @param port 0 for any free one
 * @throws {Error} naming the address and the way out if it is not available
 */
export async function listen(port: number, host = LOOPBACK) {
  const server = createGatewayServer();
  const notReady = JSON.stringify({ message: 'Service Unavailable' });
  const refuse = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(503, { 'Content-Type': 'application/json', Connection: 'close' }).end(notReady);
  };
  const refuseSocket = (_request: IncomingMessage, socket: Duplex) => refuseUpgrade(socket, 503, notReady);
  server.on('request', refuse).on('upgrade', refuseSocket);

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const ways: Record<string, string> = {
        EADDRINUSE: `Port ${port} on ${host} is already in use; choose another with --port <number>`,
        EADDRNOTAVAIL: `${host} is not an address of this machine; use 0.0.0.0 for all of them`,
        ENOTFOUND: `${host} is not an address; use 0.0.0.0 for all addresses of this machine`,
      };
      const way = ways[error.code ?? ''];
      reject(way === undefined ? error : new Error(way, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  let stopped: Promise<void> | undefined;
  const { port: taken } = server.address() as AddressInfo;
  const reached = host === '0.0.0.0' || host === '::' ? LOOPBACK : host;
  return {
    /** The address that it listens on. */
    host,
    port: taken,
    /** Address and port by which this machine reaches it, as URLs have them. */
    authority: `${isIPv6(reached) ? `[${reached}]` : reached}:${taken}`,
    /** Hands the server over to the listeners that `serve` attaches. */
    open(serve: (server: Server) => void): void {
      server.off('request', refuse).off('upgrade', refuseSocket);
      serve(server);
    },
    /** Stops listening, ends idle connections at once, and the others when they are done or `graceMs` is over. */
    stop: (graceMs: number): Promise<void> => {
      stopped ??= stop(server, graceMs);
      return stopped;
    },
  };
}

/**
 * Starts a server for this machine at the port that it had last, if that is free, or else at any other.
 *
 * @param file where the port is kept from one start to the next
 */
export async function listenAgain(file: string): Promise<Listening> {
  const last = Number(await readFile(file, 'utf8').catch(() => 0));
  const listening = await listen(last).catch(() => listen(0));
  await writeFile(file, String(listening.port), { mode: 0o600 });
  return listening;
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
