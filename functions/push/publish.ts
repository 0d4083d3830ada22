import { inBatches } from '../../shared/store/batches.ts';
import { type Change, changeFromRecord, type StreamRecord } from '../../shared/store/change.ts';
import { SHARDS } from '../../shared/store/connection.ts';
import { log } from '../telemetry/log.ts';
import { type BatchResult, bodyOf, type PushMessage } from './pushMessage.ts';
import type { PushQueue } from './queue.ts';
import { revocationFromRecord } from './revocation.ts';
import type { RevocationQueue } from './revocationQueue.ts';

/** What of DynamoDB's stream records is used. */
export interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: StreamRecord & { readonly SequenceNumber?: string | undefined };
  }[];
}

/** SQS takes ten messages at once, of 256 KB together everywhere (1 MB in most places); the rest is room for attributes. */
const BATCH = { count: 10, bytes: 240 * 1024 };

/** Changes of one message: it is to fit a batch alone, with what JSON puts around the changes. */
const MESSAGE = { count: 100, bytes: BATCH.bytes - 1024 };

/**
 * Makes the handler of the flags table's stream: the written flags and segments of a batch become, for each
 * environment, one message for every shard of its connections (more where they are large), in the order of their
 * versions; the end of a secret goes to the queue of revocations. What fails is reported from the first record on, and
 * Lambda hands it in again.
 */
export function createPublish(queue: PushQueue, revocations: RevocationQueue) {
  return async (event: StreamEvent): Promise<BatchResult> => {
    const records = event.Records.flatMap(({ dynamodb = {} }) => {
      const change = changeFromRecord(dynamodb);
      const revocation = revocationFromRecord(dynamodb);
      return change || revocation ? [{ change, revocation, itemIdentifier: dynamodb.SequenceNumber ?? '' }] : [];
    });
    try {
      const work = workFor(records.flatMap(({ change }) => change ?? []));
      for (const batch of inBatches(work, BATCH, (item) => Buffer.byteLength(bodyOf(item)))) await queue.send(batch);
      for (const { revocation } of records) if (revocation) await revocations.send(revocation, 0);
      return { batchItemFailures: [] };
    } catch (error) {
      log.error('publishing failed; Lambda will retry', error as Error);
      return { batchItemFailures: records.slice(0, 1).map(({ itemIdentifier }) => ({ itemIdentifier })) };
    }
  };
}

function workFor(changes: readonly Change[]): PushMessage[] {
  const inOrder = changes.toSorted((a, b) => a.updatedAt - b.updatedAt);
  return [...Map.groupBy(inOrder, ({ envId }) => envId).values()].flatMap((ofEnvironment) =>
    inBatches(ofEnvironment, MESSAGE, bytesOf).flatMap((portion) =>
      Array.from({ length: SHARDS }, (_, shard) => ({ shard, changes: portion as [Change, ...Change[]] })),
    ),
  );
}

function bytesOf(change: Change): number {
  return Buffer.byteLength(bodyOf({ shard: 0, changes: [change] }));
}
