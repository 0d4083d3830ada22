import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Serves an API of AWS on this machine. @param answer answers a request @returns its base URL */
export async function serveApi(answer: (request: { readonly body: string }, response: ServerResponse) => void) {
  const server = createServer(async (request, response) => answer({ body: await text(request) }, response));
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
