import { createDynamoDb } from '../../shared/store/table.ts';
import { ManagementApi } from '../push/managementApi.ts';
import { createSync } from '../websocket/sync.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

/** The route `data-sync`. */
export const handler = createSync({
  connections: connectionsFromEnv(client),
  snapshots: snapshotsFromEnv(flags),
  sender: new ManagementApi(requireEnv('CONNECTIONS_ENDPOINT')),
  now: flags.effects.now,
  pause: flags.effects.pause,
});
