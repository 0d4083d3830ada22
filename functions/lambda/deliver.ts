import { createDynamoDb } from '../../shared/store/table/table.ts';
import { paced } from '../gateway/pace.ts';
import { createDeliver } from '../push/deliver.ts';
import { createRetryQueue } from '../push/queue.ts';
import { postsPerChunk } from '../push/serveRound.ts';
import { postsFromEnv, snapshotsFromEnv } from './answeringFromEnv.ts';
import { connectionsFromEnv, flagsFromEnv, requireEnv, requireNumber } from './fromEnv.ts';
import { sqsFromEnv } from './sqsFromEnv.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);
const { sender, pace } = postsFromEnv();

/** The push queue. */
export const handler = createDeliver({
  connections: connectionsFromEnv(client),
  documents: flags.documents,
  snapshots: snapshotsFromEnv(flags),
  sender: paced(sender, pace),
  postsPerChunk: postsPerChunk(requireNumber('POSTS_PER_SECOND')),
  queue: createRetryQueue(sqsFromEnv(), requireEnv('PUSH_QUEUE_URL'), requireEnv('UNDELIVERED_QUEUE_URL')),
  now: flags.effects.now,
});
