import { createDynamoDb } from '../../shared/store/table/table.ts';
import { paced } from '../gateway/pace.ts';
import { createDeliver, postsPerChunk } from '../push/deliver.ts';
import { createRetryQueue } from '../push/queue.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv, requireNumber } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

/** The push queue. */
export const handler = createDeliver({
  connections: connectionsFromEnv(client),
  documents: flags.documents,
  snapshots: snapshotsFromEnv(flags),
  sender: paced(senderFromEnv(flags.effects), paceFromEnv(flags.effects)),
  postsPerChunk: postsPerChunk(requireNumber('POSTS_PER_SECOND')),
  queue: createRetryQueue(requireEnv('PUSH_QUEUE_URL'), requireEnv('UNDELIVERED_QUEUE_URL')),
  now: flags.effects.now,
});
