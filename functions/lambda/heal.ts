import { createDynamoDb } from '../../shared/store/table.ts';
import { createConnectionEnder } from '../push/connectionEnder.ts';
import { createHeal } from '../websocket/heal.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

/** The handler of a schedule that runs every minute. */
export const handler = createHeal({
  connections: connectionsFromEnv(client),
  relays: flags.relays,
  snapshots: snapshotsFromEnv(flags),
  sender: senderFromEnv(flags.effects),
  pace: paceFromEnv(flags.effects),
  ender: createConnectionEnder(requireEnv('CONNECTIONS_ENDPOINT'), flags.effects),
  effects: flags.effects,
});
