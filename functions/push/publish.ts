import { inBatches } from '../../shared/runtime/batches.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { Change } from '../../shared/store/documents/change.ts';
import type { BatchResult, EventRecord } from '../invocation.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { bodyOf, type PushMessage } from './pushMessage.ts';
import type { PushQueue, RevocationQueue } from './queue.ts';
import type { TableEvents } from './snapshotRewrites.ts';
import { readRecord, type UnreadableRecord } from './streamRecord.ts';

/** The used part of DynamoDB's stream event. */
export interface StreamEvent {
  readonly Records: readonly EventRecord[];
}

/** SQS accepts ten messages at once, of 256 KB in total; the rest is room for attributes. */
const BATCH = { count: 10, bytes: 240 * 1024 };

/** Size limit for the changes of one message; with the surrounding JSON it fits into a batch. */
const MESSAGE = { count: 100, bytes: BATCH.bytes - 1024 };

/** Dependencies of publishing. */
interface PublishDeps {
  readonly connections: Pick<Connections, 'occupiedShards'>;
  readonly queue: PushQueue;
  readonly revocations: RevocationQueue;
  /** Called after all messages are in the queues. */
  readonly rewriteSnapshots: (events: TableEvents) => Promise<void>;
}

/**
 * Creates the handler of the flags table's stream. For each environment, the flags and segments in a batch become one message for
 * every shard with connections (more if they are large), in the order of their versions. A revoked secret goes to the queue of
 * revocations. If anything fails, Lambda retries the batch from its first change. Afterwards, due snapshots are rewritten.
 *
 * An unreadable record would fail at every retry and block its shard of the stream. It is skipped; the log and the metric
 * `push.unreadable` report it after the rest of the batch is sent.
 */
export function createPublish({ connections, queue, revocations, rewriteSnapshots }: PublishDeps) {
  return async (event: StreamEvent): Promise<BatchResult> => {
    const records = event.Records.flatMap((record) => readRecord(record) ?? []);
    try {
      const changes = records.flatMap(({ change }) => change ?? []);
      const messages = await messagesFor(changes, connections);
      const batches = inBatches(messages, BATCH, (message) => Buffer.byteLength(bodyOf(message)));
      for (const batch of batches) await queue.send(batch);
      for (const record of records) {
        for (const revocation of record.revocations ?? []) await revocations.send(revocation);
      }
      for (const { unreadable } of records) if (unreadable) reportUnreadable(unreadable);
      await rewriteSnapshots({ changes, expired: records.flatMap(({ expired }) => expired ?? []) });
      return { batchItemFailures: [] };
    } catch (error) {
      log.error('publishing failed and will be retried', error as Error);
      return { batchItemFailures: records.slice(0, 1).map(({ itemIdentifier }) => ({ itemIdentifier })) };
    }
  };
}

function reportUnreadable(unreadable: UnreadableRecord): void {
  log.error('stream record set aside', { ...unreadable });
  recordMetrics({ 'push.unreadable': 1 });
}

async function messagesFor(
  changes: readonly Change[],
  connections: PublishDeps['connections'],
): Promise<PushMessage[]> {
  const inOrder = changes.toSorted((a, b) => a.updatedAt - b.updatedAt);
  const messages: PushMessage[] = [];
  for (const [envId, ofEnvironment] of Map.groupBy(inOrder, (change) => change.envId)) {
    const shards = await connections.occupiedShards(envId);
    const bytesOf = (change: Change) => Buffer.byteLength(bodyOf({ shard: 0, changes: [change] }));
    for (const portion of inBatches(ofEnvironment, MESSAGE, bytesOf)) {
      messages.push(...shards.map((shard) => ({ shard, changes: portion as [Change, ...Change[]] })));
    }
  }
  return messages;
}
