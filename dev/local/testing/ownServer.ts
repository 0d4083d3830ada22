import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import type { OwnRequests } from '../../emulator/listen.ts';

/**
 * Serves own pages of `npm start` during the tests of a file, and 204 for all else.
 *
 * @returns its URL, once the tests run
 */
export function useOwnServer(answer: OwnRequests): () => string {
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(204).end();
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
