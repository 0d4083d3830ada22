import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Registration } from '../../shared/store/connection.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { database, sender, service, useService } from '../testing/fixture.ts';
import { idsInShard, pushMessage, snapshotsOf } from '../testing/service.ts';
import { serveShard } from './serve.ts';

const SHARD = 5;
const [A, B] = idsInShard(SHARD, 2).toSorted() as [string, string];
useService();

/** The requests of the table, with the version where one notes what the shard has been served. */
let calls: (string | number)[];
beforeEach(() => {
  calls = [];
});
const kept: Intercept = ({ name, input }, next) => {
  calls.push(name === 'PutItem' ? Number(input.Item.servedTo.N) : name);
  return next();
};
const served = () => calls.filter((call) => typeof call === 'number');

/** Registers a connection as of now. */
async function connect(id: string, fields: Partial<Registration> = {}): Promise<Registration> {
  const at = service.effects.now();
  const registration: Registration = { id, type: 'server', requestedAt: at, registeredAt: at, ...fields };
  await service.store.connections.register(service.envId, registration);
  return registration;
}

/** Registers a client that asked for one user before, and was answered up to a version for another. */
async function connectAgain(id: string, version: number): Promise<void> {
  await connect(id, { type: 'client', user: aUser('before') });
  wait(60_000);
  const registration = await connect(id, { type: 'client', user: aUser('now') });
  await service.store.connections.markAnswered(service.envId, registration, version);
  wait(60_000);
}

function wait(ms: number): void {
  service.effects.clock.now += ms;
}

async function put(key: string): Promise<StoredDocument> {
  const [written] = await service.store.documents.writeFlag(service.envId, key, () => aFlag({ key }));
  return written as StoredDocument;
}

/** Serves the shard a message of changes. */
function serve(
  changes: readonly [StoredDocument, ...StoredDocument[]],
  { isRetry = false, postsPerChunk = 500 } = {},
): Promise<boolean> {
  const parts = {
    ...database.open(service.effects, kept),
    snapshots: snapshotsOf(service),
    sender,
    time: { mayBegin: () => true, mayPost: () => true },
    now: service.effects.now,
    pause: async (ms: number) => wait(ms),
    postsPerChunk,
  };
  return serveShard(parts, { push: JSON.parse(pushMessage(changes, SHARD).body), isRetry });
}

const got = (id: string) =>
  sender.to(id).map(({ data: { featureFlags } }) => featureFlags[0].key ?? featureFlags[0].id);

describe('many changes', () => {
  test('are served in as many rounds as leave each chunk its connections', async () => {
    for (const id of [A, B]) await connect(id);
    wait(60_000);
    const [a, b, c, d] = [await put('a'), await put('b'), await put('c'), await put('d')];
    expect(await serve([a, b, c, d], { postsPerChunk: 4 })).toBe(true);
    for (const id of [A, B]) expect(got(id)).toEqual(['a', 'b', 'c', 'd']);
    expect(served()).toEqual([b.updatedAt, d.updatedAt]);
  });

  test('are served at once where nobody is connected', async () => {
    const [a, b] = [await put('a'), await put('b')];
    await serve([a, b], { postsPerChunk: 1 });
    expect(calls).toEqual(['Query', b.updatedAt]);
  });

  test('of a message that was received before are repeated in the first round only: no later one was begun', async () => {
    const [a, b] = [await put('a'), await put('b')];
    await connectAgain(A, b.updatedAt);
    await serve([a, b], { isRetry: true, postsPerChunk: 1 });
    expect(served()).toEqual([a.updatedAt, b.updatedAt]);
    expect(got(A)).toEqual(['a']);
  });
});

describe('a delivery that was begun', () => {
  test('is brought to its end before the changes of another message, also for those who asked again since', async () => {
    const a = await put('a');
    for (const id of [A, B]) await connectAgain(id, a.updatedAt);
    const progress = { version: a.updatedAt, servedId: A, begunId: B };
    await service.store.connections.markProgress(service.envId, SHARD, progress);
    const b = await put('b');
    expect(await serve([b])).toBe(true);
    expect([got(A), got(B)]).toEqual([['b'], ['a', 'b']]);
    expect(served()).toEqual([a.updatedAt, b.updatedAt]);
  });

  test('is left to its own message by a duplicate of an older one', async () => {
    await connect(A);
    wait(60_000);
    const [a, b] = [await put('a'), await put('b')];
    const { connections } = service.store;
    await connections.markServed(service.envId, SHARD, a.updatedAt);
    await connections.markProgress(service.envId, SHARD, { version: b.updatedAt, servedId: '#', begunId: A });
    expect(await serve([a])).toBe(true);
    expect([sender.sent, calls]).toEqual([[], ['Query']]);
  });
});

test('a change that was lost between those of a message is taken as written as late as the last of them', async () => {
  const a = await put('a');
  wait(30_000);
  await connect(B);
  wait(20_000);
  await put('lost');
  wait(10_000);
  const b = await put('b');
  await serve([a, b]);
  expect(got(B)).toEqual(['lost', 'b']);
});
