import { createDynamoDb } from '../../shared/store/table.ts';
import { createDeliver } from '../push/deliver.ts';
import { createRetryQueue } from '../push/queue.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

/** The push queue. */
export const handler = createDeliver({
  connections: connectionsFromEnv(client),
  documents: flags.documents,
  snapshots: snapshotsFromEnv(flags),
  sender: senderFromEnv(),
  queue: createRetryQueue(requireEnv('PUSH_QUEUE_URL')),
  now: flags.effects.now,
  pause: flags.effects.pause,
});
