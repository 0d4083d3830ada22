import { recordServiceVersion } from '../../shared/store/serviceVersion.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import { createConnectionEnder } from '../push/connectionEnder.ts';
import { createHeal } from '../websocket/heal.ts';
import { recordFirst } from '../websocket/recordFirst.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

const table = { client, name: requireEnv('FLAGS_TABLE'), effects: flags.effects };
const version = requireEnv('SERVICE_VERSION');

const heal = createHeal({
  connections: connectionsFromEnv(client),
  relays: flags.relays,
  snapshots: snapshotsFromEnv(flags),
  sender: senderFromEnv(flags.effects),
  pace: paceFromEnv(flags.effects),
  ender: createConnectionEnder(requireEnv('CONNECTIONS_ENDPOINT'), flags.effects),
  effects: flags.effects,
});

/** The handler of a schedule that runs every minute. It also records the version of the service, for the command line and the console. */
export const handler = recordFirst(() => recordServiceVersion(table, version), heal);
