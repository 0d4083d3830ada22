/** Calls at the same time. A DynamoDB client has 50 sockets, and a call that waits for one too long fails as if the network were slow. */
const CONCURRENCY = 16;

/**
 * Calls a function for each item, at most {@link CONCURRENCY} at the same time.
 *
 * @returns the results, in the order of the items
 * @throws the first failure. Calls in progress continue, and no further one starts
 */
export async function mapConcurrently<T, R>(items: Iterable<T>, call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = numbered(items);
  const work = async () => {
    for (const [n, item] of left) results[n] = await call(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return results;
}

/** A generator, which a failed loop ends for all others. */
function* numbered<T>(items: Iterable<T>): Generator<[number, T]> {
  let n = 0;
  for (const item of items) yield [n++, item];
}
