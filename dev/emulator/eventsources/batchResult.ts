import type { InvokeResult } from '../lambda/result.ts';

/**
 * The identifiers a function reported as failed, out of those of its batch, in the batch's order.
 *
 * @param reports whether the mapping asks for `ReportBatchItemFailures`; if not, only an error is a failure.
 * @returns an empty list when everything succeeded, `'all'` when the invocation failed, or its answer is not a valid
 * report: an entry without an identifier, or with one that is not in the batch.
 */
export function failedItems(
  result: InvokeResult,
  batch: readonly string[],
  reports: boolean,
): readonly string[] | 'all' {
  if (!result.ok) return 'all';
  if (!reports) return [];
  const { batchItemFailures } = (result.payload ?? {}) as { batchItemFailures?: unknown };
  if (batchItemFailures === undefined || batchItemFailures === null) return [];
  if (!Array.isArray(batchItemFailures)) return 'all';
  const reported = new Set(
    (batchItemFailures as ({ itemIdentifier?: unknown } | null)[]).map((failure) => failure?.itemIdentifier),
  );
  for (const identifier of reported) if (!batch.includes(identifier as string)) return 'all';
  return batch.filter((identifier) => reported.has(identifier));
}
