import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { idsInShard } from '../../functions/testing/service.ts';
import { aUser } from '../testing/builders.ts';
import { isSameRegistration, keyOfConnection, type Registration, SHARDS, shardOf } from './connection.ts';
import { keys } from './keys.ts';
import { database, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

let envId = '';
const effects = testEffects();
const { now, uuid } = effects;

useStore(effects);
beforeEach(() => {
  envId = uuid();
});

const registration = (fields: Partial<Registration> = {}): Registration => ({
  id: 'L0SM9cOFvHcCIhw=',
  type: 'client',
  user: aUser('u1', { country: 'us', __proto__x: '' }, 'Ada'),
  requestedAt: now(),
  registeredAt: now() + 5,
  ...fields,
});

describe('a connection', () => {
  test('comes back as it was registered', async () => {
    const client = registration({ secretId: '0123456789abcdef' });
    const { user, ...server } = registration({ id: 'S==', type: 'server' });
    for (const each of [client, server]) await store.connections.register(envId, each);
    expect(await store.connections.find(envId, client.id)).toEqual(client);
    expect(await store.connections.find(envId, 'S==')).toEqual(server);
    expect(user).toBeDefined();
  });

  test('is counted by its type, up to as many as are asked for', async () => {
    expect(await store.connections.countByType(envId, 100)).toMatchObject({ client: 0, server: 0, isAtLeast: false });
    for (let n = 0; n < 12; n++) {
      await store.connections.register(envId, registration({ id: `c${n}`, type: n < 8 ? 'client' : 'server' }));
    }
    const counted = await store.connections.countByType(envId, 100);
    expect(counted).toMatchObject({ client: 8, server: 4, isAtLeast: false });
    expect(counted.readUnits).toBeGreaterThan(0);
    const some = await store.connections.countByType(envId, 3);
    expect(some.isAtLeast).toBe(true);
    expect(some.client + some.server).toBeGreaterThanOrEqual(3);
  });

  test('is the same registration until it asks again or registers once more', () => {
    const first = registration();
    expect(isSameRegistration(first, registration({ user: aUser('u2') }))).toBe(true);
    expect(isSameRegistration(first, registration({ requestedAt: now() + 1 }))).toBe(false);
    expect(isSameRegistration(first, registration({ registeredAt: now() }))).toBe(false);
  });

  test('has the user of its newest data-sync, in whatever order they are handled', async () => {
    const times = fc.uniqueArray(fc.nat(1_000), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(times, async (offsets) => {
        const id = uuid();
        for (const offset of offsets) {
          const user = aUser(`user-${offset}`);
          await store.connections.register(envId, registration({ id, user, requestedAt: now() + offset }));
        }
        const newest = Math.max(...offsets);
        expect(await store.connections.find(envId, id)).toMatchObject({
          requestedAt: now() + newest,
          user: { keyId: `user-${newest}` },
        });
      }),
      { numRuns: 20 },
    );
  });

  test('says what it was before, and gives way to a newer data-sync', async () => {
    const first = registration({ id: 'c', user: aUser('a') });
    expect(await store.connections.register(envId, first)).toEqual({ isNewest: true });
    const second = registration({ id: 'c', user: aUser('b'), requestedAt: now() + 1 });
    expect(await store.connections.register(envId, second)).toEqual({ isNewest: true, before: first });
    expect(await store.connections.register(envId, first)).toEqual({ isNewest: false });
    expect(await store.connections.find(envId, 'c')).toEqual({ ...second, hasAskedBefore: true });
  });

  test('has asked before once it asks again, and not where the same data-sync registers once more', async () => {
    const first = registration({ id: 'c' });
    await store.connections.register(envId, first);
    const more = { ...first, registeredAt: first.registeredAt + 600 };
    expect(await store.connections.register(envId, more)).toEqual({ isNewest: true, before: first });
    expect(await store.connections.find(envId, 'c')).toEqual(more);
    await store.connections.register(envId, { ...first, requestedAt: now() + 1 });
    await store.connections.register(envId, { ...more, requestedAt: now() + 1 });
    expect(await store.connections.find(envId, 'c')).toMatchObject({ hasAskedBefore: true });
  });

  test('that is registered again has lost what was noted of its earlier answer', async () => {
    const Item = {
      ...keyOfConnection(envId, 'c'),
      requestedAt: { N: '1' },
      version: { N: '7' },
      busyUntil: { N: '9' },
    };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.connections, Item }));
    expect(await store.connections.find(envId, 'c')).toMatchObject({ version: 7, busyUntil: 9 });
    await store.connections.register(envId, registration({ id: 'c' }));
    expect(await store.connections.find(envId, 'c')).toEqual(registration({ id: 'c' }));
  });

  test('is busy from its registration on where somebody is to answer it', async () => {
    await store.connections.register(envId, registration(), now() + 30_000);
    expect(await store.connections.find(envId, registration().id)).toMatchObject({ busyUntil: now() + 30_000 });
  });

  test('of a type that is none here counts as a client, which is told least', async () => {
    const Item = { ...keyOfConnection(envId, 'c'), type: { S: 'relay-proxy' }, requestedAt: { N: '1' } };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.connections, Item }));
    expect(await store.connections.find(envId, 'c')).toMatchObject({ type: 'client' });
  });

  test('is forgotten when it is removed, and ten minutes after its last possible moment', async () => {
    await store.connections.register(envId, registration());
    const Key = keyOfConnection(envId, registration().id);
    const { Item } = await store.tables.client.send(new GetItemCommand({ TableName: store.tables.connections, Key }));
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);
    expect(await store.connections.remove(envId, registration().id)).toEqual(registration());
    expect(await store.connections.remove(envId, registration().id)).toBeUndefined();
    expect(await store.connections.find(envId, registration().id)).toBeUndefined();
  });
});

describe('a shard', () => {
  test('holds the connections that belong to it, of one environment', async () => {
    const ids = Array.from({ length: 60 }, () => uuid());
    for (const id of ids) await store.connections.register(envId, registration({ id }));
    await store.connections.register(uuid(), registration({ id: ids[0] as string }));
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
    await connections.markServed('env-o', 3, 5);
    expect(await connections.occupiedShards('env-o')).toEqual([]);
    const ids = ['first', 'second', 'third'];
    for (const id of ids) await connections.register('env-o', { id, type: 'server', requestedAt: 1, registeredAt: 1 });
    const expected = [...new Set(ids.map(shardOf))].sort((a, b) => a - b);
    expect(await connections.occupiedShards('env-o')).toEqual(expected);
    expect(await connections.occupiedShards('env-other')).toEqual([]);
    for (const id of ids) await connections.remove('env-o', id);
    expect(await connections.occupiedShards('env-o')).toEqual([]);
  });

  test('tells which of its connections a secret let in', async () => {
    const [a, b, c] = idsInShard(5, 3) as [string, string, string];
    await store.connections.register(envId, registration({ id: a, secretId: 'one' }));
    await store.connections.register(envId, registration({ id: b, secretId: 'other' }));
    await store.connections.register(envId, registration({ id: c }));
    await store.connections.markServed(envId, 5, 1);
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

  test('of more rows than a page holds is read whole', async () => {
    const user = aUser('u', { big: 'x'.repeat(30_000) });
    const ids = Array.from({ length: 2_000 }, (_, n) => `connection-${n}`)
      .filter((id) => shardOf(id) === 3)
      .slice(0, 40);
    for (const id of ids) await store.connections.register(envId, registration({ id, user }));
    const { connections } = await store.connections.loadShard(envId, 3);
    expect(connections.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(ids.length * 30_000).toBeGreaterThan(1024 * 1024);
  });

  test('knows up to which version it has been served, and never goes back', async () => {
    expect((await store.connections.loadShard(envId, 0)).servedTo).toBeUndefined();
    for (const version of [100, 300, 200]) await store.connections.markServed(envId, 0, version);
    expect((await store.connections.loadShard(envId, 0)).servedTo).toBe(300);
    expect((await store.connections.loadShard(envId, 1)).servedTo).toBeUndefined();
    expect((await store.connections.loadShard(envId, 0)).connections).toEqual([]);
    const Key = keys.cursor(envId, 0);
    const { Item } = await store.tables.client.send(new GetItemCommand({ TableName: store.tables.connections, Key }));
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);
  });

  test('knows how far a delivery has come, whoever notes that late, until it is served', async () => {
    const progress = async () => (await store.connections.loadShard(envId, 0)).progress;
    const noted = { version: 200, servedId: 'c', begunId: 'f' };
    await store.connections.markProgress(envId, 0, noted);
    expect(await store.connections.loadShard(envId, 0)).toEqual({ progress: noted, connections: [] });
    await store.connections.markProgress(envId, 0, { version: 200, servedId: 'b', begunId: 'c' });
    await store.connections.markProgress(envId, 0, { version: 100, servedId: 'z', begunId: 'z' });
    expect(await progress()).toEqual(noted);
    const { Item } = await store.tables.client.send(
      new GetItemCommand({ TableName: store.tables.connections, Key: keys.cursor(envId, 0) }),
    );
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(now() / 1000) + 130 * 60);

    await store.connections.markProgress(envId, 0, { version: 200, servedId: 'f', begunId: 'f' });
    expect(await progress()).toEqual({ version: 200, servedId: 'f', begunId: 'f' });
    await store.connections.markServed(envId, 0, 200);
    await store.connections.markProgress(envId, 0, { version: 200, servedId: 'z', begunId: 'z' });
    expect(await store.connections.loadShard(envId, 0)).toEqual({ servedTo: 200, connections: [] });
    await store.connections.markProgress(envId, 0, { version: 300, servedId: 'a', begunId: 'a' });
    expect(await store.connections.loadShard(envId, 0)).toMatchObject({ servedTo: 200, progress: { version: 300 } });
  });

  test('is read in part, from one connection to another', async () => {
    const ids = idsInShard(3, 12).toSorted();
    for (const id of ids) await store.connections.register(envId, registration({ id }));
    await store.connections.markServed(envId, 3, 100);
    const found = await store.connections.loadBetween(envId, 3, ids[1] as string, ids.at(-2) as string);
    expect(found.map(({ id }) => id)).toEqual(ids.slice(1, -1));
  });
});

test('what pushes depend on is read with strong consistency', async () => {
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

test('a table that fails is an error, and no registration that gives way', async () => {
  const { connections } = database.open(effects, async () => {
    throw new Error('throttled');
  });
  await expect(connections.register(envId, registration())).rejects.toThrow('throttled');
  await expect(connections.markServed(envId, 0, 1)).rejects.toThrow('throttled');
});
