import { type Answer, type AnswerTable, fetchFrom, serveTable } from '../../dev/support/tableProxy.ts';

/** The read operations of DynamoDB. */
const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/**
 * A cache in front of the emulator's table. A write clears it. FeatBit's published runs simulated their stores too. Without the cache,
 * the emulator would use more CPU time than the load generator. The program takes the address of the table, and prints its port.
 */
export class Memo {
  readonly #remembered = new Map<string, Promise<Answer>>();
  readonly #fetch: AnswerTable;

  /** @param fetch sends a request to the table */
  constructor(fetch: AnswerTable) {
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

const [, program, upstream] = process.argv;
if (program === import.meta.filename && upstream) {
  const memo = new Memo(fetchFrom(upstream));
  const { port } = await serveTable((headers, body) => memo.answer(headers, body));
  console.log(JSON.stringify({ message: 'listening', port }));
}
