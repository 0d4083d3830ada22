import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createSync } from '../websocket/sync.ts';
import { connectionsFromEnv } from './connections.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

/** Answers data-syncs, with the tables and the stage that the stack names in the environment. */
export function syncFromEnv(): ReturnType<typeof createSync> {
  const client = createDynamoDb();
  const flags = flagsFromEnv(client);
  return createSync({
    connections: connectionsFromEnv(client),
    relays: flags.relays,
    snapshots: snapshotsFromEnv(flags),
    sender: senderFromEnv(flags.effects),
    pace: paceFromEnv(flags.effects),
    effects: flags.effects,
  });
}
