import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Registration } from '../../shared/store/connections/connection.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { beginAnswer, connect } from '../../shared/store/testing/connect.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { database, sender, service, useService } from '../testing/fixture.ts';
import { idsInShard, pushMessage, snapshotsOf } from '../testing/service.ts';
import { callTime } from './callTime.ts';
import { serveShard } from './serveShard.ts';

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

/** Has a connection ask as of now, and answers it with a version. */
async function ask(id: string, fields: Partial<Registration> = {}, version = 0): Promise<void> {
  const registration: Registration = { id, type: 'server', requestedAt: service.effects.now(), ...fields };
  await connect(service.store.connections, service.envId, registration, version);
}

/** Has a client ask that asked for another user before, and was answered up to a version. */
async function askAgain(id: string, version: number): Promise<void> {
  await ask(id, { type: 'client', user: aUser('before') });
  wait(60_000);
  await ask(id, { type: 'client', user: aUser('now') }, version);
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
  const deps = {
    ...database.open(service.effects, kept),
    snapshots: snapshotsOf(service),
    sender,
    now: service.effects.now,
    postsPerChunk,
  };
  const time = callTime(service.effects.now, Number.POSITIVE_INFINITY);
  return serveShard(deps, { push: JSON.parse(pushMessage(changes, SHARD).body), isRetry }, time);
}

const got = (id: string) =>
  sender.to(id).map(({ data: { featureFlags } }) => featureFlags[0].key ?? featureFlags[0].id);

describe('many changes', () => {
  test('are served in as many rounds as leave each chunk its connections', async () => {
    for (const id of [A, B]) await ask(id);
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

  test('are repeated in the first round only if their message was received before', async () => {
    const [a, b] = [await put('a'), await put('b')];
    await askAgain(A, b.updatedAt);
    await serve([a, b], { isRetry: true, postsPerChunk: 1 });
    expect(served()).toEqual([a.updatedAt, b.updatedAt]);
    expect(got(A)).toEqual(['a']);
  });
});

describe('a delivery that was begun', () => {
  test('is completed before the changes of another message, for all connections', async () => {
    const a = await put('a');
    for (const id of [A, B]) await askAgain(id, a.updatedAt);
    const progress = { version: a.updatedAt, servedId: A, begunId: B };
    await service.store.connections.shards.markProgress(service.envId, SHARD, progress);
    const b = await put('b');
    expect(await serve([b])).toBe(true);
    expect([got(A), got(B)]).toEqual([['b'], ['a', 'b']]);
    expect(served()).toEqual([a.updatedAt, b.updatedAt]);
  });

  test('is left to its own message by a duplicate of an older one', async () => {
    await ask(A);
    const [a, b] = [await put('a'), await put('b')];
    const { shards } = service.store.connections;
    await shards.markServed(service.envId, SHARD, a.updatedAt);
    await shards.markProgress(service.envId, SHARD, { version: b.updatedAt, servedId: '#', begunId: A });
    expect(await serve([a])).toBe(true);
    expect([sender.sent, calls]).toEqual([[], ['Query']]);
  });
});

describe('a change that was lost between those of a message', () => {
  test('is brought to connections that were answered before it, and to no others', async () => {
    const a = await put('a');
    await ask(A, {}, a.updatedAt);
    const lost = await put('lost');
    await ask(B, {}, lost.updatedAt);
    const b = await put('b');
    await serve([a, b]);
    expect([got(A), got(B)]).toEqual([['lost', 'b'], ['b']]);
  });

  test('is left with the others to the sender of an answer that is under way', async () => {
    const a = await put('a');
    const registration: Registration = { id: A, type: 'server', requestedAt: service.effects.now() };
    const answer = await beginAnswer(service.store.connections, service.envId, registration);
    const lost = await put('lost');
    const b = await put('b');
    expect(await serve([a, b])).toBe(true);
    expect(got(A)).toEqual([]);
    const { states } = service.store.connections;
    for (const { updatedAt } of [a, lost]) expect(await states.finish(answer, updatedAt)).toEqual({ kind: 'changed' });
    expect(await states.finish(answer, b.updatedAt)).toEqual({ kind: 'finished' });
  });
});
