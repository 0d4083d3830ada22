import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { idsInShard } from '../../../functions/testing/service.ts';
import { aUser } from '../../testing/builders.ts';
import { type Key, keys } from '../table/keys.ts';
import { beginAnswer, connect } from '../testing/connect.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { type Connection, keyOfConnection, type Registration, SHARDS, shardOf } from './connection.ts';
import type { HeldLease } from './lease.ts';

let envId = '';
const effects = testEffects();
const { now, uuid } = effects;

useStore(effects);
beforeEach(() => {
  envId = uuid();
});

const LEASE_MS = 30_000;
const registration = (fields: Partial<Registration> = {}): Registration => ({
  id: 'L0SM9cOFvHcCIhw=',
  type: 'client',
  user: aUser('u1', { country: 'us', __proto__x: '' }, 'Ada'),
  requestedAt: now(),
  ...fields,
});
const begin = (fields: Partial<Registration> = {}) =>
  store.connections.states.begin(envId, registration(fields), { answerId: uuid(), leaseMs: LEASE_MS });
/** Begins an answer that is never finished. */
const register = (fields: Partial<Registration> = {}) => beginAnswer(store.connections, envId, registration(fields));
const find = (id = registration().id) => store.connections.find(envId, id);
const answering = () => ({ kind: 'answering', leaseUntil: now() + LEASE_MS });

async function rowOf({ pk, sk }: Key) {
  const Key = { pk, sk };
  return (await store.tables.client.send(new GetItemCommand({ TableName: store.tables.connections, Key }))).Item;
}

describe('a connection', () => {
  test('comes back as it was registered, with the answer that was begun', async () => {
    const client = registration({ secretId: '0123456789abcdef' });
    const { user, ...server } = registration({ id: 'S==', type: 'server' });
    for (const each of [client, server]) {
      const { answerId } = await beginAnswer(store.connections, envId, each, LEASE_MS);
      expect(await find(each.id)).toEqual({ ...each, answerId, state: answering() });
    }
    expect(user).toBeDefined();
  });

  test('is current at the version of its answer once that is finished', async () => {
    const { answerId, ...found } = await connect(store.connections, envId, registration(), 7);
    expect(found).toEqual({ ...registration(), state: { kind: 'current', version: 7 } });
    expect(answerId).not.toBe('');
  });

  test('is counted by its type, up to as many as are asked for', async () => {
    expect(await store.connections.countByType(envId, 100)).toMatchObject({ client: 0, server: 0, isAtLeast: false });
    for (let n = 0; n < 12; n++) await register({ id: `c${n}`, type: n < 8 ? 'client' : 'server' });
    const counted = await store.connections.countByType(envId, 100);
    expect(counted).toMatchObject({ client: 8, server: 4, isAtLeast: false });
    const some = await store.connections.countByType(envId, 3);
    expect(some.isAtLeast).toBe(true);
    expect(some.client + some.server).toBeGreaterThanOrEqual(3);
  });

  test('has the user of its newest data-sync, in any order of handling and answers', async () => {
    const step = fc.record({ offset: fc.nat(1_000), isFinished: fc.boolean() });
    const steps = fc.uniqueArray(step, { minLength: 2, maxLength: 6, selector: ({ offset }) => offset });
    await fc.assert(
      fc.asyncProperty(steps, async (requests) => {
        const id = uuid();
        let newest = -1;
        let held: HeldLease | undefined;
        for (const { offset, isFinished } of requests) {
          const user = aUser(`user-${offset}`);
          const begun = await begin({ id, user, requestedAt: now() + offset });
          expect(begun.kind).toBe(offset < newest ? 'outdated' : held ? 'left' : 'begun');
          newest = Math.max(newest, offset);
          if (begun.kind === 'begun') held = begun.lease;
          const current = { requestedAt: now() + newest, user: { keyId: `user-${newest}` } };
          expect(await find(id)).toMatchObject(current);
          if (!held || !isFinished) continue;
          // A sender with requests left by others answers the newest.
          const finished = await store.connections.states.finish(held, 5);
          if (finished.kind === 'asked again') {
            expect(finished.registration).toMatchObject(current);
            expect(await store.connections.states.finish(finished.lease, 5)).toEqual({ kind: 'finished' });
          } else {
            expect(finished).toEqual({ kind: 'finished' });
          }
          expect(await find(id)).toMatchObject({ ...current, state: { kind: 'current', version: 5 } });
          held = undefined;
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is answered by one sender for its newest data-sync if several arrive together', async () => {
    const times = fc.uniqueArray(fc.nat(1_000), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(times, async (offsets) => {
        const id = uuid();
        const ask = (offset: number) => begin({ id, user: aUser(`user-${offset}`), requestedAt: now() + offset });
        const begun = await Promise.all(offsets.map(ask));
        const answers = begun.flatMap((each) => (each.kind === 'begun' ? [each.lease] : []));
        expect(answers).toHaveLength(1);
        const newest = Math.max(...offsets);
        const current = { requestedAt: now() + newest, user: { keyId: `user-${newest}` } };
        expect(await find(id)).toMatchObject({ ...current, answerId: answers[0]?.answerId });
        const left = begun.filter(({ kind }) => kind === 'left').length;
        const finished = await store.connections.states.finish(answers[0] as HeldLease, 5);
        expect(finished).toMatchObject(
          left === 0 ? { kind: 'finished' } : { kind: 'asked again', lease: { asks: left }, registration: current },
        );
      }),
      { numRuns: 20 },
    );
  });

  test('says what it was before, and gives way to a newer data-sync', async () => {
    const first = { id: 'c', user: aUser('a') };
    expect(await begin(first)).toEqual({
      kind: 'begun',
      lease: { envId, connectionId: 'c', answerId: expect.any(String), asks: 0 },
    });
    const before = await find('c');
    effects.clock.now += LEASE_MS;
    const second = { id: 'c', user: aUser('b'), requestedAt: now() };
    const begun = await begin(second);
    expect(begun).toMatchObject({ kind: 'begun', before: { ...before, state: { kind: 'answering' } } });
    expect(await begin({ ...first, requestedAt: now() - 1 })).toEqual({ kind: 'outdated' });
    expect(await find('c')).toEqual({
      ...registration(second),
      answerId: begun.kind === 'begun' && begun.lease.answerId,
      state: answering(),
      hasAskedBefore: true,
    });
  });

  test('only changes its user for a data-sync that is left to its sender', async () => {
    const { answerId } = await register({ id: 'c', user: aUser('a') });
    const state = answering();
    const requestedAt = now() + 1;
    expect(await begin({ id: 'c', user: aUser('b'), requestedAt })).toEqual({ kind: 'left' });
    const user = aUser('b');
    expect(await find('c')).toEqual({
      ...registration({ id: 'c', user, requestedAt }),
      answerId,
      state,
      hasAskedBefore: true,
    });
  });

  test('refuses an older data-sync once it was answered for a newer one', async () => {
    const answer = await register({ id: 'c' });
    expect(await begin({ id: 'c', requestedAt: now() + 2 })).toEqual({ kind: 'left' });
    await store.connections.states.finish({ ...answer, asks: 1 }, 5);
    expect(await begin({ id: 'c', requestedAt: now() + 1 })).toEqual({ kind: 'outdated' });
    expect(await find('c')).toMatchObject({ state: { kind: 'current', version: 5 } });
  });

  test('has asked before once it asks again, but not by a repeat of the same data-sync', async () => {
    const first = await connect(store.connections, envId, registration({ id: 'c' }), 5);
    const again = await begin({ id: 'c' });
    expect(again).toMatchObject({ kind: 'begun', before: first });
    const repeated = (await find('c')) as Connection;
    expect(repeated.answerId).not.toBe(first.answerId);
    expect(repeated).not.toHaveProperty('hasAskedBefore');
    expect(await begin({ id: 'c' })).toEqual({ kind: 'left' });
    expect(await find('c')).toEqual(repeated);

    effects.clock.now += LEASE_MS;
    for (let times = 0; times < 2; times++) {
      await connect(store.connections, envId, registration({ id: 'c' }), 5);
      expect(await find('c')).toMatchObject({ hasAskedBefore: true });
    }
  });

  test('loses what was noted of its earlier answer once it is answered again', async () => {
    const noted = { version: { N: '7' }, behind: { S: 'unreachable' }, leftVersion: { N: '9' }, asks: { N: '3' } };
    const Item = { ...keyOfConnection(envId, 'c'), requestedAt: { N: '1' }, answerId: { S: 'earlier' }, ...noted };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.connections, Item }));
    const before = { answerId: 'earlier', state: { kind: 'behind', version: 7, reason: 'unreachable' } };
    expect(await find('c')).toMatchObject(before);
    const begun = await begin({ id: 'c' });
    expect(begun).toMatchObject({ kind: 'begun', before });
    expect(await find('c')).toMatchObject({ state: answering() });
    const row = await rowOf(keyOfConnection(envId, 'c'));
    for (const name of Object.keys(noted)) expect(row).not.toHaveProperty(name);
    // Neither the version nor the requests left to the earlier sender delay this one.
    const { lease } = begun as Extract<typeof begun, { kind: 'begun' }>;
    expect(await store.connections.states.finish(lease, 8)).toEqual({ kind: 'finished' });
  });

  test('counts as a client if its type is unknown, which gets least', async () => {
    const Item = { ...keyOfConnection(envId, 'c'), type: { S: 'relay-proxy' }, requestedAt: { N: '1' } };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.connections, Item }));
    expect(await find('c')).toMatchObject({ type: 'client' });
  });

  test('is forgotten when it is removed, and ten minutes after its last possible moment', async () => {
    await register();
    const Item = await rowOf(keyOfConnection(envId, registration().id));
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);
    const found = await find();
    expect(found).toMatchObject(registration());
    expect(await store.connections.remove(envId, registration().id)).toEqual(found);
    expect(await store.connections.remove(envId, registration().id)).toBeUndefined();
    expect(await find()).toBeUndefined();
  });

  test('stays forgotten if it is forgotten while it is answered', async () => {
    const answer = await register();
    const found = (await find()) as Connection;
    await store.connections.remove(envId, found.id);
    const { states } = store.connections;
    expect(await states.finish(answer, 5)).toEqual({ kind: 'replaced' });
    expect(await states.leave(envId, found, 5, true)).toBe(false);
    await states.mark(envId, found, 5, 'waiting');
    await states.mark(envId, found, 5);
    await states.mark(envId, found, 5, 'interrupted');
    expect(await find()).toBeUndefined();
  });

  test('lives as long as its newest data-sync, also where that is left to a sender', async () => {
    await register();
    const requestedAt = now() + 60_000;
    await begin({ requestedAt });
    const row = await rowOf(keyOfConnection(envId, registration().id));
    expect(Number(row?.['expiresAt']?.N)).toBe(Math.floor(requestedAt / 1000) + 130 * 60);
  });
});

describe('a shard', () => {
  test('holds the connections that belong to it, of one environment', async () => {
    const ids = Array.from({ length: 60 }, () => uuid());
    for (const id of ids) await register({ id });
    await beginAnswer(store.connections, uuid(), registration({ id: ids[0] as string }));
    const found = new Map<string, number>();
    for (let shard = 0; shard < SHARDS; shard++) {
      for (const { id } of (await store.connections.loadShard(envId, shard)).connections) found.set(id, shard);
    }
    expect([...found.keys()].toSorted()).toEqual(ids.toSorted());
    for (const [id, shard] of found) expect(shard).toBe(shardOf(id));
  });

  test('counts as occupied while it has connections, whatever else is noted of it', async () => {
    const { connections } = store;
    expect(await connections.occupiedShards('env-o')).toEqual([]);
    await connections.shards.markServed('env-o', 3, 5);
    expect(await connections.occupiedShards('env-o')).toEqual([]);
    const ids = ['first', 'second', 'third'];
    for (const id of ids) await beginAnswer(connections, 'env-o', { id, type: 'server', requestedAt: 1 });
    const expected = [...new Set(ids.map(shardOf))].sort((a, b) => a - b);
    expect(await connections.occupiedShards('env-o')).toEqual(expected);
    expect(await connections.occupiedShards('env-other')).toEqual([]);
    for (const id of ids) await connections.remove('env-o', id);
    expect(await connections.occupiedShards('env-o')).toEqual([]);
  });

  test('tells which of its connections a secret let in', async () => {
    const [a, b, c] = idsInShard(5, 3) as [string, string, string];
    await register({ id: a, secretId: 'one' });
    await register({ id: b, secretId: 'other' });
    await register({ id: c });
    await store.connections.shards.markServed(envId, 5, 1);
    const openedBy = async (shard: number, secretId: string) => {
      const ids: string[] = [];
      for await (const page of store.connections.openedBy(envId, shard, secretId))
        ids.push(...page.map(({ id }) => id));
      return ids;
    };
    expect(await openedBy(5, 'one')).toEqual([a]);
    expect(await openedBy(5, 'third')).toEqual([]);
    expect(await openedBy(6, 'one')).toEqual([]);
  });

  test('gets about its share of connections', () => {
    const counts = new Array<number>(SHARDS).fill(0);
    for (let n = 0; n < 16_000; n++) counts[shardOf(`L0SM9cOF${n}hw=`)] = (counts[shardOf(`L0SM9cOF${n}hw=`)] ?? 0) + 1;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  test('is read whole if it has more rows than a page holds', async () => {
    const user = aUser('u', { big: 'x'.repeat(30_000) });
    const ids = Array.from({ length: 2_000 }, (_, n) => `connection-${n}`)
      .filter((id) => shardOf(id) === 3)
      .slice(0, 40);
    for (const id of ids) await register({ id, user });
    const { connections } = await store.connections.loadShard(envId, 3);
    expect(connections.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(ids.length * 30_000).toBeGreaterThan(1024 * 1024);
  });

  test('knows up to which version it has been served, and never goes back', async () => {
    expect((await store.connections.loadShard(envId, 0)).servedTo).toBeUndefined();
    for (const version of [100, 300, 200]) await store.connections.shards.markServed(envId, 0, version);
    expect((await store.connections.loadShard(envId, 0)).servedTo).toBe(300);
    expect((await store.connections.loadShard(envId, 1)).servedTo).toBeUndefined();
    expect((await store.connections.loadShard(envId, 0)).connections).toEqual([]);
    const Item = await rowOf(keys.cursor(envId, 0));
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);
  });

  test('knows how far a delivery has come, whoever notes that late, until it is served', async () => {
    const progress = async () => (await store.connections.loadShard(envId, 0)).progress;
    const noted = { version: 200, servedId: 'c', begunId: 'f' };
    await store.connections.shards.markProgress(envId, 0, noted);
    expect(await store.connections.loadShard(envId, 0)).toEqual({ progress: noted, connections: [] });
    await store.connections.shards.markProgress(envId, 0, { version: 200, servedId: 'b', begunId: 'c' });
    await store.connections.shards.markProgress(envId, 0, { version: 100, servedId: 'z', begunId: 'z' });
    expect(await progress()).toEqual(noted);
    const Item = await rowOf(keys.cursor(envId, 0));
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);

    await store.connections.shards.markProgress(envId, 0, { version: 200, servedId: 'f', begunId: 'f' });
    expect(await progress()).toEqual({ version: 200, servedId: 'f', begunId: 'f' });
    await store.connections.shards.markServed(envId, 0, 200);
    await store.connections.shards.markProgress(envId, 0, { version: 200, servedId: 'z', begunId: 'z' });
    expect(await store.connections.loadShard(envId, 0)).toEqual({ servedTo: 200, connections: [] });
    await store.connections.shards.markProgress(envId, 0, { version: 300, servedId: 'a', begunId: 'a' });
    expect(await store.connections.loadShard(envId, 0)).toMatchObject({ servedTo: 200, progress: { version: 300 } });
  });

  test('is read in part, from one connection to another', async () => {
    const ids = idsInShard(3, 12).toSorted();
    for (const id of ids) await register({ id });
    await store.connections.shards.markServed(envId, 3, 100);
    const found = await store.connections.loadBetween(envId, 3, ids[1] as string, ids.at(-2) as string);
    expect(found.map(({ id }) => id)).toEqual(ids.slice(1, -1));
  });
});

test('reads with strong consistency what pushes depend on', async () => {
  const reads: (readonly [string, boolean])[] = [];
  const { connections } = database.open(effects, ({ name, input }, send) => {
    reads.push([name, input.ConsistentRead]);
    return send();
  });
  await connections.find(envId, 'c');
  await connections.loadShard(envId, 0);
  await connections.loadBetween(envId, 0, 'a', 'b');
  await connections.occupiedShards(envId);
  expect(reads).toEqual([['GetItem', true], ...Array(2 + SHARDS).fill(['Query', true])]);
});

test('a table that fails is an error, and no data-sync that is left or outdated', async () => {
  const connection = await connect(store.connections, envId, registration());
  const { states, shards } = database.open(effects, async () => {
    throw new Error('throttled');
  }).connections;
  const answer = { envId, connectionId: connection.id, answerId: connection.answerId, asks: 0 };
  await expect(states.begin(envId, registration(), { answerId: uuid(), leaseMs: LEASE_MS })).rejects.toThrow(
    'throttled',
  );
  await expect(states.finish(answer, 5)).rejects.toThrow('throttled');
  await expect(states.leave(envId, connection, 5, false)).rejects.toThrow('throttled');
  await expect(states.mark(envId, connection, 5)).rejects.toThrow('throttled');
  await expect(states.mark(envId, connection, 5, 'unreachable')).rejects.toThrow('throttled');
  await expect(shards.markServed(envId, 0, 1)).rejects.toThrow('throttled');
  await expect(shards.markProgress(envId, 0, { version: 1, servedId: 'a', begunId: 'a' })).rejects.toThrow('throttled');
});
