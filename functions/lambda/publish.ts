import { systemEffects } from '../../shared/runtime/effects.ts';
import { SnapshotWriter } from '../../shared/store/snapshots/snapshotWriter.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createPublish } from '../push/publish.ts';
import { createPushQueue, createRevocationQueue } from '../push/queue.ts';
import { createSnapshotRewrites } from '../push/snapshotRewrites.ts';
import { connectionsFromEnv, flagsTableFromEnv, requireEnv, requireNumber } from './fromEnv.ts';
import { sqsFromEnv } from './sqsFromEnv.ts';

const client = createDynamoDb();
const sqs = sqsFromEnv();

/** The stream of the flags table. */
export const handler = createPublish({
  connections: connectionsFromEnv(client),
  queue: createPushQueue(sqs, requireEnv('PUSH_QUEUE_URL'), requireNumber('GROUPS_PER_ENVIRONMENT')),
  revocations: createRevocationQueue(sqs, requireEnv('REVOCATION_QUEUE_URL')),
  rewriteSnapshots: createSnapshotRewrites({
    writer: new SnapshotWriter(flagsTableFromEnv(client)),
    ...systemEffects,
  }),
});
