import type { StreamRecord } from '../shared/store/documents/change.ts';

/** The used part of Lambda's context. */
export interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** A record of the flags table's stream, as passed by Lambda. */
export interface EventRecord {
  readonly dynamodb?: StreamRecord & { readonly SequenceNumber?: string | undefined };
}

/** The records of a batch to retry, in the form of Lambda's event sources. */
export interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
