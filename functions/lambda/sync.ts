import { createDynamoDb } from '../../shared/store/table.ts';
import { createSync } from '../websocket/sync.ts';
import { connectionsFromEnv } from './connections.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

/** The route `data-sync`. */
export const handler = createSync({
  connections: connectionsFromEnv(client),
  relays: flags.relays,
  snapshots: snapshotsFromEnv(flags),
  sender: senderFromEnv(flags.effects),
  pace: paceFromEnv(flags.effects),
  effects: flags.effects,
});
