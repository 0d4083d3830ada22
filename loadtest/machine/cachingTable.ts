import { type Answer, type AnswerTable, fetchFrom, serveTable } from '../../dev/support/tableProxy.ts';

/** The read operations of DynamoDB. */
const READS = new Set(['GetItem', 'Query', 'BatchGetItem']);

/**
 * A cache in front of the emulator's table. A write clears it. FeatBit's published runs simulated their stores too. Without the cache,
 * the emulator would use more CPU time than the load generator. The program takes the address of the table, and prints its port.
 *
 * @param fetch sends a request to the table
 */
export function cacheReads(fetch: AnswerTable): AnswerTable {
  const remembered = new Map<string, Promise<Answer>>();
  return async (headers, body) => {
    const operation = String(headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1);
    if (!READS.has(operation ?? '')) {
      // A read during the write may be older than the write.
      return fetch(headers, body).finally(() => remembered.clear());
    }
    const key = `${operation} ${body}`;
    const known = remembered.get(key);
    if (known) return known;
    const answer = fetch(headers, body);
    remembered.set(key, answer);
    const forget = () => {
      if (remembered.get(key) === answer) remembered.delete(key);
    };
    answer.then(({ status }) => (status === 200 ? undefined : forget()), forget);
    return answer;
  };
}

const [, program, upstream] = process.argv;
if (program === import.meta.filename && upstream) {
  const { port } = await serveTable(cacheReads(fetchFrom(upstream)));
  console.log(JSON.stringify({ message: 'listening', port }));
}
