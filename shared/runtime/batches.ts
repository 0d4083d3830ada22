/** The limits of one request to a service. */
interface BatchLimits {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Divides items into batches within a service's limits, in order. An item that exceeds the bytes alone gets its own
 * batch.
 */
export function inBatches<T>(items: readonly T[], limits: BatchLimits, bytesOf: (item: T) => number): T[][] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    const current = batches.at(-1);
    if (!current || current.length === limits.count || bytes + size > limits.bytes) {
      batches.push([item]);
      bytes = size;
    } else {
      current.push(item);
      bytes += size;
    }
  }
  return batches;
}
