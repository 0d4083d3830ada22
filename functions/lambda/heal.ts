import { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import { recordServiceVersion } from '../../shared/store/table/serviceVersion.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { createConnectionEnder } from '../gateway/connectionEnder.ts';
import type { Invocation } from '../invocation.ts';
import { createRevocationQueue } from '../push/queue.ts';
import { allSettled } from '../websocket/answerDeps.ts';
import { createHeal } from '../websocket/heal.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';
import { flagsFromEnv } from './flags.ts';
import { paceFromEnv } from './pace.ts';
import { recordFirst } from './recordFirst.ts';
import { senderFromEnv } from './sender.ts';
import { snapshotsFromEnv } from './snapshots.ts';

const client = createDynamoDb();
const flags = flagsFromEnv(client);

const table = { client, name: requireEnv('FLAGS_TABLE'), effects: flags.effects };
const version = requireEnv('SERVICE_VERSION');

const connections = connectionsFromEnv(client);
const revocations = new DueRevocations(connections.table);
const revocationQueue = createRevocationQueue(requireEnv('REVOCATION_QUEUE_URL'));

const heal = createHeal({
  connections,
  relays: flags.relays,
  snapshots: snapshotsFromEnv(flags),
  sender: senderFromEnv(flags.effects),
  pace: paceFromEnv(flags.effects),
  ender: createConnectionEnder(requireEnv('CONNECTIONS_ENDPOINT'), flags.effects),
  effects: flags.effects,
});

/**
 * The handler of a schedule that runs every minute. It also sends the due revocations to their queue, and records the version of the
 * service, for the command line and the console.
 */
export const handler = recordFirst(
  () => recordServiceVersion(table, version),
  async (event, invocation: Invocation) => {
    await allSettled([heal(event, invocation), revocations.take(revocationQueue.send)]);
  },
);
