import { createDeliver } from '../../../functions/push/deliver.ts';
import { createPublish } from '../../../functions/push/publish.ts';
import { bodyOf, type PushMessage } from '../../../functions/push/pushMessage.ts';
import { createSync } from '../../../functions/websocket/sync.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { StreamAttribute } from '../../../shared/store/change.ts';
import { type StoredDocument, toItem } from '../../../shared/store/item.ts';
import { SnapshotCache } from '../../../shared/store/snapshotCache.ts';
import { connect } from '../../../shared/store/testing/connect.ts';
import { startTestTables, type TestStore, type TestTables } from '../../../shared/store/testing/testTables.ts';
import { repeatedFlags } from '../../machine/repeatedFlags.ts';

/** Deliveries at once by default: as many instances, each with the environment in memory. */
const INSTANCES = 4;

/** Calls of functions, and what they used of the tables. */
export interface TableUse {
  readonly calls: number;
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** A counter of what goes to the tables. */
class Meter {
  #use = { requests: 0, readUnits: 0, writeUnits: 0 };

  /** A store whose requests are counted. */
  open(database: TestTables): TestStore {
    return database.open(systemEffects, async ({ name, input }, send) => {
      input.ReturnConsumedCapacity = 'TOTAL';
      // biome-ignore lint/suspicious/noExplicitAny: what a command answers.
      const answer = (await send()) as any;
      const units = answer.output.ConsumedCapacity?.CapacityUnits ?? 0;
      this.#use.requests++;
      this.#use[name === 'Query' || name === 'GetItem' ? 'readUnits' : 'writeUnits'] += units;
      return answer;
    });
  }

  /** What was counted since the last time. */
  take(calls: number): TableUse {
    const use = { calls, ...this.#use };
    this.#use = { requests: 0, readUnits: 0, writeUnits: 0 };
    return use;
  }
}

/** A change in an environment of so many flags, for several numbers of connections. */
export async function changeUse(
  flags: number,
  connections: readonly number[],
): Promise<{ readonly connections: number; readonly use: TableUse }[]> {
  const database = await startTestTables();
  try {
    const uses = [];
    for (const count of connections) uses.push({ connections: count, use: await useOfChange(database, flags, count) });
    return uses;
  } finally {
    await database.close();
  }
}

async function useOfChange(database: TestTables, flags: number, connections: number): Promise<TableUse> {
  const meter = new Meter();
  const writer = database.open(systemEffects);
  const { environment } = await writer.environments.create(`${flags} flags, ${connections} connections`);
  await writer.documents.import(environment.id, repeatedFlags(flags));
  const { updatedAt } = await writer.documents.version(environment.id);
  for (let n = 0; n < connections; n++) {
    const requestedAt = systemEffects.now() - 60_000;
    await connect(writer.connections, environment.id, { id: `c${n}`, type: 'server', requestedAt }, updatedAt);
  }
  const { now, pause } = systemEffects;
  const queue = { changeVisibility: async () => {}, sendToDeadLetterQueue: async () => {} };
  const instances = Array.from({ length: INSTANCES }, () => {
    const store = meter.open(database);
    const snapshots = new SnapshotCache(store, () => {});
    const sender = { post: async () => 'sent' as const };
    return {
      snapshots,
      deliver: createDeliver({ ...store, snapshots, sender, queue, now, postsPerChunk: 500 }),
    };
  });
  for (const { snapshots } of instances) await snapshots.read(environment.id);
  // A snapshot is known to be complete when the last write is a second old.
  await pause(1_100);
  for (const { snapshots } of instances) await snapshots.read(environment.id);
  meter.take(0);

  const messages: PushMessage[] = [];
  const publish = createPublish({
    ...meter.open(database),
    queue: { send: async (batch) => void messages.push(...batch) },
    revocations: { send: async () => {} },
    rewriteSnapshots: async () => {},
  });
  const [changed] = await writer.documents.writeFlag(environment.id, 'returns-true-0', (flag) => ({
    ...(flag as NonNullable<typeof flag>),
    isEnabled: false,
  }));
  await publish({ Records: [recordOf(changed as StoredDocument)] });
  for (const [n, message] of messages.entries()) {
    const { deliver } = instances[n % INSTANCES] as (typeof instances)[number];
    const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(now()), MessageGroupId: 'a group' };
    const record = { messageId: `${n}`, receiptHandle: `${n}`, attributes, body: bodyOf(message) };
    await deliver({ Records: [record] }, { getRemainingTimeInMillis: () => 30_000 });
  }
  // Each instance reads again once the write is known to be complete.
  await pause(1_100);
  for (const { snapshots } of instances) await snapshots.read(environment.id);
  return meter.take(1 + messages.length);
}

/** Data-syncs of one connection, one after another without a pause. */
export async function loopUse(count: number): Promise<TableUse & { readonly answered: number }> {
  const database = await startTestTables();
  try {
    const meter = new Meter();
    const store = meter.open(database);
    const { environment } = await store.environments.create('a loop');
    await store.documents.import(environment.id, repeatedFlags(5));
    const { now } = systemEffects;
    let posts = 0;
    const sender = {
      post: async () => {
        posts++;
        return 'sent' as const;
      },
    };
    const snapshots = new SnapshotCache(store, () => {});
    const sync = createSync({ ...store, snapshots, sender, effects: systemEffects });
    meter.take(0);
    let answered = 0;
    for (let n = 0; n < count; n++) {
      const before = posts;
      const requestContext = {
        connectionId: 'loop',
        routeKey: 'data-sync',
        requestTimeEpoch: now(),
        authorizer: { envId: environment.id, type: 'server' },
      };
      await sync({ body: '{"messageType":"data-sync","data":{"timestamp":0}}', requestContext });
      if (posts > before) answered++;
    }
    return { ...meter.take(count), answered };
  } finally {
    await database.close();
  }
}

/** A record of the table's stream, as Lambda hands it in. */
function recordOf(stored: StoredDocument) {
  const NewImage = Object.fromEntries(
    Object.entries(toItem(stored)).map(([name, { S, N, B }]): [string, StreamAttribute] => [
      name,
      B ? { B: Buffer.from(B).toString('base64') } : { S, N },
    ]),
  );
  return { dynamodb: { NewImage, SequenceNumber: '1', ApproximateCreationDateTime: Math.floor(Date.now() / 1_000) } };
}
