import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The read operations of DynamoDB. */
const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/** A response of the table. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * A cache in front of the emulator's table. A write clears it. FeatBit's published runs simulated their stores too. Without the cache,
 * the emulator would use more CPU time than the load generator. The program takes the address of the table, and prints its port.
 */
export class Memo {
  readonly #remembered = new Map<string, Promise<Answer>>();
  readonly #fetch: (headers: Answer['headers'], body: Buffer) => Promise<Answer>;

  /** @param fetch sends a request to the table */
  constructor(fetch: (headers: Answer['headers'], body: Buffer) => Promise<Answer>) {
    this.#fetch = fetch;
  }

  async answer(headers: Answer['headers'], body: Buffer): Promise<Answer> {
    const operation = String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1);
    if (!READS.has(operation ?? '')) {
      try {
        return await this.#fetch(headers, body);
      } finally {
        // A read during the write may be older than the write.
        this.#remembered.clear();
      }
    }
    const key = `${operation} ${body}`;
    const remembered = this.#remembered.get(key);
    if (remembered) return remembered;
    const answer = this.#fetch(headers, body);
    this.#remembered.set(key, answer);
    const forget = () => {
      if (this.#remembered.get(key) === answer) this.#remembered.delete(key);
    };
    answer.then(({ status }) => (status === 200 ? undefined : forget()), forget);
    return answer;
  }
}

/** Sends requests to another server over HTTP. */
export function fetchFrom(endpoint: string) {
  return (headers: Answer['headers'], body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = ask(endpoint, { method: 'POST', headers }, (response) => {
        const { statusCode: status = 500, headers } = response;
        buffer(response).then((body) => resolve({ status, headers, body }), reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

const [, program, upstream] = process.argv;
if (program === import.meta.filename && upstream) {
  const memo = new Memo(fetchFrom(upstream));
  const server = createServer((request, response) => {
    const answered = buffer(request).then((body) => memo.answer(request.headers, body));
    answered.then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
  });
}
