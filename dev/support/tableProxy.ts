import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A response of a table. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Answers a request to a table. */
export type AnswerTable = (headers: Answer['headers'], body: Buffer) => Promise<Answer>;

/** Sends requests to another server over HTTP. */
export function fetchFrom(endpoint: string): AnswerTable {
  return (headers, body) =>
    new Promise((resolve, reject) => {
      const sent = ask(endpoint, { method: 'POST', headers }, (response) => {
        const { statusCode: status = 500, headers } = response;
        buffer(response).then((body) => resolve({ status, headers, body }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

/** Takes the place of a table, on a free port of this machine. If an answer fails, its connection ends. */
export async function serveTable(answer: AnswerTable) {
  const server = createServer((request, response) => {
    const answered = buffer(request).then((body) => answer(request.headers, body));
    answered.then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close().closeAllConnections() };
}
