import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reads of DynamoDB, which change nothing. */
const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/** An answer of the table. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Stands before the emulator's table and answers a read again as it was answered before, until something is
 * written. FeatBit's published runs had their stores faked too; the emulator itself would take more of the generator's
 * core than the generator. As a program it is given the table's address, and prints its port.
 */
export class Memo {
  readonly #remembered = new Map<string, Promise<Answer>>();
  readonly #fetch: (headers: Answer['headers'], body: Buffer) => Promise<Answer>;

  /** @param fetch asks the table itself */
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
        // What was read while it was under way may be from before it.
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

/** Asks another server over HTTP. */
function fetchFrom(endpoint: string) {
  return (headers: Answer['headers'], body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = ask(endpoint, { method: 'POST', headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 500, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

const [, program, upstream] = process.argv;
if (program === import.meta.filename && upstream) {
  const memo = new Memo(fetchFrom(upstream));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      memo.answer(request.headers, Buffer.concat(chunks)).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
    });
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
  });
}
