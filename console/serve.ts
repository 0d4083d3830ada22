import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { PAGE_PATH } from './api.ts';
import type { Console } from './server/app.ts';

const LOOPBACK = '127.0.0.1';
/** Timeout of receiving a request, in milliseconds. Requests come from the same machine. */
const REQUEST_MS = 15_000;
const HEADERS_MS = 5_000;
/** Maximum number of sockets. A browser opens six for a page. */
const MAX_SOCKETS = 100;

/** A running console. */
export interface ServedConsole {
  readonly port: number;
  /** `http://127.0.0.1:5300/console/`. */
  readonly url: string;
  /** Ends streams, waits for requests, and stops the server. */
  close(): Promise<void>;
}

/** Serves a console on 127.0.0.1. @param port 0 picks a free port @throws {Error} if the port is in use */
export async function serveConsole({ app, close }: Console, port: number): Promise<ServedConsole> {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, getRequestListener(app.fetch, { hostname: LOOPBACK }));
  server.maxConnections = MAX_SOCKETS;
  server.listen(port, LOOPBACK);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} is already in use; choose another with --port <number>`, { cause: error });
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://${LOOPBACK}:${taken}${PAGE_PATH}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await closed;
    },
  };
}
