import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { PAGE_PATH } from './api.ts';
import type { Console } from './server/app.ts';

const LOOPBACK = '127.0.0.1';
/** How long a request may take to arrive, in milliseconds: whoever asks is on the same machine. */
const REQUEST_MS = 15_000;
const HEADERS_MS = 5_000;
/** Sockets at once; a browser opens six for a page. */
const MOST_SOCKETS = 100;

/** A console that listens. */
export interface ServedConsole {
  readonly port: number;
  /** `http://127.0.0.1:5300/console/`. */
  readonly url: string;
  /** Ends what streams, lets requests end, and stops listening. */
  close(): Promise<void>;
}

/**
 * Serves a console to this machine alone.
 *
 * @param port 0 for any free one
 * @throws {Error} naming the port when it is taken
 */
export async function serveConsole({ app, close }: Console, port: number): Promise<ServedConsole> {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 };
  const server = createServer(limits, getRequestListener(app.fetch, { hostname: LOOPBACK }));
  server.maxConnections = MOST_SOCKETS;
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
