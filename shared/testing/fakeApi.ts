import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The same object for all requests of a connection. */
  readonly socket: unknown;
}

/**
 * Gives a test file a loopback server instead of an AWS API.
 *
 * @param answer answers a request, or leaves it unanswered
 * @returns its address, available from the first test on
 */
export function useFakeApi(answer: (request: ReceivedRequest, response: ServerResponse) => void): {
  readonly endpoint: string;
} {
  const api = { endpoint: '' };
  // Not all clients repeat requests, so no connection ends while one could use it again.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const { method = '', url = '', headers, socket } = request;
    answer({ method, url, headers, body: await text(request), socket }, response);
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    api.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return api;
}
