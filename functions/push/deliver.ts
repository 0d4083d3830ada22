import { loadShard, markServed } from '../../shared/store/connections.ts';
import type { SnapshotCache } from '../../shared/store/snapshotCache.ts';
import { SnapshotCache as Snapshots } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import { ambient, tablesFromEnv } from '../environment.ts';
import { log, logContained } from '../log.ts';
import { createPostbox, type Postbox } from '../postbox.ts';
import { sendToShard } from './fanOut.ts';
import { pushesFor } from './pushes.ts';
import { type BatchResult, groupOf, type PushWork } from './work.ts';

/** What of SQS's event is used. */
export interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** What a delivery needs. */
export interface DeliverParts {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postbox: Postbox;
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
    for (const { messageId, body } of event.Records) {
      const work = JSON.parse(body) as PushWork;
      const group = groupOf(work);
      try {
        if (held.has(group)) throw new Error('an earlier change of the same group failed');
        await deliver(parts, work);
      } catch (error) {
        held.add(group);
        failures.push({ itemIdentifier: messageId });
        log.error('delivery failed; the queue will hand it in again', { error: error as Error, group });
      }
    }
    return { batchItemFailures: failures };
  };
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
  snapshots: new Snapshots(tables, ambient, logContained),
  postbox: createPostbox(),
  now: ambient.now,
});
