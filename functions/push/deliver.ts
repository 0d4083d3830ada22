import { loadShard, markServed } from '../../shared/store/connections.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import { ambient, tablesFromEnv } from '../environment.ts';
import { log } from '../log.ts';
import { createPostbox, type Postbox } from '../postbox.ts';
import { snapshotsFromEnv } from '../snapshots.ts';
import { sendToShard } from './fanOut.ts';
import { pushesFor } from './pushes.ts';
import { createRetryQueue, type RetryQueue } from './queue.ts';
import { type BatchResult, groupOf, type PushWork } from './work.ts';

/** What of SQS's event is used. */
export interface QueueEvent {
  readonly Records: readonly {
    readonly messageId: string;
    readonly receiptHandle: string;
    readonly body: string;
    readonly attributes: { readonly ApproximateReceiveCount: string };
  }[];
}

/** What a delivery needs. */
export interface DeliverParts {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postbox: Postbox;
  readonly queue: RetryQueue;
  readonly now: () => number;
}

/**
 * Makes the handler of the push queue: sends each change to the connections of its shard, one item a message, in order.
 *
 * A message that fails is handed in again, and with it all later ones of its group, so that nothing overtakes it.
 */
export function createDeliver(parts: DeliverParts) {
  return async (event: QueueEvent): Promise<BatchResult> => {
    const held = new Set<string>();
    const failures: { itemIdentifier: string }[] = [];
    for (const { messageId, receiptHandle, body, attributes } of event.Records) {
      const work = JSON.parse(body) as PushWork;
      const group = groupOf(work);
      try {
        if (held.has(group)) throw new Error('an earlier change of the same group failed');
        await deliver(parts, work);
      } catch (error) {
        held.add(group);
        failures.push({ itemIdentifier: messageId });
        log.error('delivery failed; the queue will hand it in again', { error: error as Error, group });
        await retrySoon(parts, receiptHandle, Number(attributes.ApproximateReceiveCount));
      }
    }
    return { batchItemFailures: failures };
  };
}

/** Shortens the wait for the next attempt; should even that fail, the message comes back when its visibility ends. */
async function retrySoon({ queue }: DeliverParts, receiptHandle: string, timesReceived: number): Promise<void> {
  try {
    await queue.retrySoon(receiptHandle, timesReceived);
  } catch (error) {
    log.warn('the next attempt will be late', error as Error);
  }
}

/** Brings one shard up to a change; what it has been served already, a duplicate or an older one, is dropped. */
async function deliver(parts: DeliverParts, { shard, change }: PushWork): Promise<void> {
  const { servedTo, connections } = await loadShard(parts.tables, change.envId, shard);
  if (servedTo !== undefined && change.updatedAt <= servedTo) return;
  if (connections.length > 0) {
    const { snapshot } = await parts.snapshots.read(change.envId);
    const pushes = pushesFor(change, snapshot, servedTo);
    await sendToShard(parts, change.envId, connections, pushes);
  }
  await markServed(parts.tables, change.envId, shard, change.updatedAt);
}

const tables = tablesFromEnv();
export const handler = createDeliver({
  tables,
  snapshots: snapshotsFromEnv(tables),
  postbox: createPostbox(),
  queue: createRetryQueue(),
  now: ambient.now,
});
