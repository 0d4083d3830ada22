import {
  type AttributeValue,
  DeleteItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { InvalidCondition } from '../../evaluation/invalidCondition.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../../testing/builders.ts';
import { until } from '../../testing/until.ts';
import type { StoredDocument } from '../documents/item.ts';
import { Conflict, NotFound } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, useTables } from '../testing/testStore.ts';
import { type Intercept, type TestStore, testEffects, writeUnchecked } from '../testing/testTables.ts';
import { type Reading, SnapshotCache } from './snapshotCache.ts';

let store: TestStore;
let effects = testEffects();
let envId = '';
let calls: string[] = [];
let reports: InvalidCondition[] = [];
const SETTLED_MS = 1_001;

/** An environment: its version, whether there is a snapshot, its documents. */
const READ_ALL = ['GetItem', 'GetItem', 'Query'];

useTables();

beforeEach(async () => {
  effects = testEffects();
  store = database.open(effects);
  envId = await newEnvironment(store);
  calls = [];
  reports = [];
});

/** A cache whose calls to the table are counted and may be intercepted. */
function aCache(intercept: Intercept = (_, send) => send(), capacityBytes?: number): SnapshotCache {
  const counted = database.open(effects, (call, send) => {
    calls.push(call.name);
    return intercept(call, send);
  });
  return new SnapshotCache(
    counted,
    (_, invalidConditions) => reports.push(...invalidConditions),
    'empty',
    capacityBytes,
  );
}

const put = (key: string, name = '') => store.documents.writeFlag(envId, key, () => aFlag({ key, name }));

/** Writes an item like a manual edit of the table. */
async function putByHand(id: string, doc: string): Promise<void> {
  const Item = { ...keys.flag(envId, id), kind: { S: 'flag' }, updatedAt: { N: '1' }, doc: { S: doc } };
  await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
}

function takeCalls(): string[] {
  const taken = calls;
  calls = [];
  return taken;
}

describe('an environment', () => {
  test('tells once of an expression that is not searched in a long text', async () => {
    const conditions = [aCondition('note', 'MatchRegex', 'a[ab]{300}c')];
    await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', rules: [aRule(conditions)] }));
    const { snapshot } = await aCache().read(envId);
    expect(reports).toEqual([]);
    for (let n = 0; n < 2; n++) snapshot.flags[0]?.evaluate(aUser('u', { note: 'x'.repeat(30_000) }));
    expect(reports).toEqual([
      { kind: 'flag', id: 'f', path: 'rules[0].conditions[0]', message: expect.stringContaining('up to 1644') },
    ]);
  });

  test('costs one read while nothing changes', async () => {
    await put('f');
    effects.clock.now += SETTLED_MS;
    const cache = aCache();
    const first = await cache.read(envId);
    expect(takeCalls()).toEqual(READ_ALL);
    const second = await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem']);
    expect(second.snapshot).toBe(first.snapshot);
    expect(first.snapshot.flags.map(({ document }) => document.key)).toEqual(['f']);
    expect(first.snapshot.version).toBe(first.version.updatedAt);
  });

  test('is read again after a write; what has not changed is taken over', async () => {
    await put('kept');
    await put('changed');
    const cache = aCache();
    const before = (await cache.read(envId)).snapshot;
    await put('changed', 'new');
    const after = (await cache.read(envId)).snapshot;
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.flags.map(({ document }) => document.name)).toEqual(['', 'new']);
    expect(after.flags[0]).toBe(before.flags[0]);
  });

  test('is not found if it does not exist', async () => {
    await expect(aCache().read(effects.uuid())).rejects.toThrow(NotFound);
  });

  test('is found if it is empty', async () => {
    expect((await aCache().read(envId)).snapshot).toMatchObject({ version: 0, flags: [], segments: [] });
  });

  test('is read once for many who ask at the same time', async () => {
    await put('f');
    const cache = aCache();
    const readings = await Promise.all(Array.from({ length: 10 }, () => cache.read(envId)));
    expect(takeCalls().filter((name) => name === 'Query')).toHaveLength(1);
    expect(new Set(readings.map(({ snapshot }) => snapshot)).size).toBe(1);
  });

  test('is read once if it has not been written for long', async () => {
    await put('f');
    effects.clock.now += 3_600_000;
    const cache = aCache();
    await cache.read(envId);
    effects.clock.now += SETTLED_MS;
    await cache.read(envId);
    expect(takeCalls()).toEqual([...READ_ALL, 'GetItem']);
  });

  test('is read once more a second after its version was first met, and then no more', async () => {
    await put('f');
    effects.clock.now += 10 * SETTLED_MS;
    const cache = aCache();
    await cache.read(envId);
    expect(takeCalls()).toEqual(READ_ALL);
    await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem']);
    effects.clock.now += SETTLED_MS;
    await cache.read(envId);
    expect(takeCalls()).toEqual(READ_ALL);
    await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem']);
  });
});

describe('a change of an environment that is known to be complete', () => {
  test('is read from the journal, and nothing again when it settles', async () => {
    await put('kept');
    await put('changed');
    effects.clock.now += 3_600_000;
    const cache = aCache();
    const before = (await cache.read(envId)).snapshot;
    await put('changed', 'new');
    await put('other');
    takeCalls();
    const after = await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem', 'Query']);
    expect(after.snapshot.flags.map(({ document: { key, name } }) => key + name)).toEqual([
      'kept',
      'changednew',
      'other',
    ]);
    expect(after.snapshot.flags[0]).toBe(before.flags[0]);
    effects.clock.now += SETTLED_MS;
    await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem']);
  });

  test('is read with all of the environment where the journal lacks it', async () => {
    await put('kept');
    effects.clock.now += 3_600_000;
    const cache = aCache();
    await cache.read(envId);
    const [stored] = await put('changed', 'new');
    const Key = keys.journal(envId, (stored as StoredDocument).updatedAt);
    await store.tables.client.send(new DeleteItemCommand({ TableName: store.tables.flags, Key }));
    takeCalls();
    const { snapshot } = await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem', 'Query', 'GetItem', 'Query']);
    expect(snapshot.flags.map(({ document }) => document.key)).toEqual(['kept', 'changed']);
  });

  test('mends a document that could not be read', async () => {
    await putByHand('broken', '{');
    effects.clock.now += 3_600_000;
    const cache = aCache();
    await cache.read(envId);
    expect(reports).toHaveLength(1);
    await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'broken', name: 'mended' }) }]);
    const { snapshot } = await cache.read(envId);
    expect(snapshot.flags.map(({ document }) => document.name)).toEqual(['mended']);
    expect(reports).toHaveLength(1);
  });
});

describe('a write that was acknowledged', () => {
  test('is in every reading that begins after it', async () => {
    const own = database.open({ ...effects, now: Date.now });
    const cache = new SnapshotCache(own, () => {});
    const acknowledged = new Map<string, number>();
    let isWriting = true;
    // On a slow machine, the other writers are faster each time.
    const write = (key: string, n: number): Promise<unknown> =>
      own.documents
        .writeFlag(envId, key, () => aFlag({ key, name: String(n) }))
        .catch((error: unknown) => (error instanceof Conflict ? write(key, n) : Promise.reject(error)));
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 1; n <= 12; n++) {
        const key = `flag-${writer}`;
        await write(key, n);
        acknowledged.set(key, n);
      }
    });
    const readers = Array.from({ length: 6 }, async () => {
      while (isWriting) {
        const expected = [...acknowledged];
        const { snapshot, version } = await cache.read(envId);
        const found = new Map(snapshot.flags.map(({ document }) => [document.key, Number(document.name)]));
        for (const [key, n] of expected) expect(found.get(key)).toBeGreaterThanOrEqual(n);
        // Newer only if writers left no gap between several reads.
        expect(snapshot.flags.at(-1)?.updatedAt ?? 0).toBeGreaterThanOrEqual(snapshot.version);
        expect(version.updatedAt).toBe(snapshot.version);
      }
    });
    await Promise.all(writers);
    isWriting = false;
    await Promise.all(readers);
    expect((await cache.read(envId)).snapshot.flags.map(({ document }) => document.name)).toEqual([
      '12',
      '12',
      '12',
      '12',
    ]);
  });
});

describe('a write that a query meets half done', () => {
  /** A cache whose first queries show neither a flag nor the journal. Each continues when released. */
  function aCacheNotShowing(key: string, times: number, proceed: () => Promise<void> = async () => {}): SnapshotCache {
    let queries = 0;
    return aCache(async ({ name }, send) => {
      const answer = (await send()) as { output: { Items: Record<string, AttributeValue>[] } };
      if (name !== 'Query' || ++queries > times) return answer;
      await proceed();
      const Items = answer.output.Items.filter(
        ({ pk, sk }) => sk?.S !== `FLAG#${key}` && !pk?.S?.startsWith('JOURNAL#'),
      );
      return { ...answer, output: { ...answer.output, Items } };
    });
  }
  /** The first read, and three more, each after a read of the journal. */
  const QUERIES = 7;
  const keysOf = ({ snapshot }: Reading) => snapshot.flags.map(({ document }) => document.key);

  test('is not kept, nor said to be there, however old it claims to be', async () => {
    const [before] = await put('before');
    effects.clock.now -= 60_000;
    await put('missed');
    effects.clock.now += 60_000;
    const cache = aCacheNotShowing('missed', QUERIES);
    const lacking = await cache.read(envId);
    expect(keysOf(lacking)).toEqual(['before']);
    expect([lacking.version.updatedAt, lacking.snapshot.version]).toEqual([before?.updatedAt, before?.updatedAt]);
    expect(keysOf(await cache.read(envId))).toEqual(['before', 'missed']);
  });

  test('is missing for no read after it was acknowledged, during another read', async () => {
    await put('missed');
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let queries = 0;
    const cache = aCacheNotShowing('missed', QUERIES, async () => {
      // The last attempt.
      if (++queries < QUERIES) return;
      held.resolve();
      await released.promise;
    });
    const early = cache.read(envId);
    await held.promise;
    takeCalls();
    const late = [cache.read(envId), cache.read(envId)];
    await new Promise((resolve) => setTimeout(resolve, 50));
    released.resolve();
    expect(keysOf(await early)).toEqual([]);
    for (const reading of late) expect(keysOf(await reading)).toEqual(['missed']);
    expect(takeCalls().filter((name) => name === 'Query')).toHaveLength(1);
  });

  test('counts as deleted by hand if nothing comes in a second, at one read each', async () => {
    await put('kept');
    const [deleted] = await put('deleted');
    const cache = aCacheNotShowing('deleted', 99);
    await cache.read(envId);
    effects.clock.now += SETTLED_MS;
    takeCalls();
    const reading = await cache.read(envId);
    expect([keysOf(reading), reading.version.updatedAt]).toEqual([['kept'], deleted?.updatedAt]);
    await cache.read(envId);
    expect(takeCalls()).toEqual([...READ_ALL, 'GetItem']);
  });
});

describe('an item that cannot be read', () => {
  test('is contained, and reported once however often the environment is read', async () => {
    await put('good');
    await putByHand('broken', '{"key":');
    await putByHand('wrong', '{"key":7}');
    const cache = aCache();
    expect((await cache.read(envId)).snapshot.flags.map(({ document }) => document.key)).toEqual(['good']);
    expect(reports.map(({ kind, id }) => [kind, id])).toEqual([
      ['flag', 'broken'],
      ['flag', 'wrong'],
    ]);
    expect(reports[0]?.message).toMatch(/is not readable/);
    await put('good', 'changed');
    await cache.read(envId);
    effects.clock.now += SETTLED_MS;
    await cache.read(envId);
    expect(reports).toHaveLength(2);
  });

  test('is reported again when it has been changed, and is still not readable', async () => {
    await putByHand('broken', '{');
    const cache = aCache();
    await cache.read(envId);
    const Item = { ...keys.flag(envId, 'broken'), kind: { S: 'flag' }, updatedAt: { N: '2' }, doc: { S: '[' } };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
    await put('good');
    await cache.read(envId);
    expect(reports.map(({ id }) => id)).toEqual(['broken', 'broken']);
  });
});

test('a segment that no message can carry is reported once, with the flags that use it', async () => {
  const included = Array.from({ length: 6_000 }, (_, n) => `user-${n}`.padEnd(33, '.'));
  const rules = [aRule([aCondition(IN_SEGMENT, null, '["big"]')])];
  await put('good');
  await writeUnchecked(store, envId, { kind: 'segment', document: aSegment({ id: 'big', included }) });
  await store.documents.writeFlag(envId, 'uses', () => aFlag({ key: 'uses', rules }));
  const cache = aCache();
  await cache.read(envId);
  await put('good', 'changed');
  await cache.read(envId);
  expect(reports.map(({ kind, id, path }) => [kind, id, path])).toEqual([
    ['segment', 'big', ''],
    ['flag', 'uses', ''],
  ]);
});

describe('a table that fails', () => {
  const throttled = () => new ProvisionedThroughputExceededException({ $metadata: {}, message: 'slow down' });

  test.each(['GetItem', 'Query'])(
    'is an error at %s for all who wait, and is asked again by the next',
    async (failing) => {
      await put('f');
      let isFailing = true;
      const cache = aCache(({ name }, send) => {
        if (isFailing && name === failing) throw throttled();
        return send();
      });
      const asked = await Promise.allSettled([cache.read(envId), cache.read(envId)]);
      for (const result of asked) {
        expect(result.status === 'rejected' && result.reason).toBeInstanceOf(ProvisionedThroughputExceededException);
      }
      isFailing = false;
      expect((await cache.read(envId)).snapshot.flags).toHaveLength(1);
    },
  );
});

describe('the memory of one instance', () => {
  test('holds environments up to its capacity as JSON, and forgets the least recent', async () => {
    const environments = await Promise.all(Array.from({ length: 4 }, () => newEnvironment(store)));
    for (const id of environments) {
      await store.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', description: 'x'.repeat(100_000) }));
    }
    effects.clock.now += 3_600_000;
    const cache = aCache(undefined, 350_000);
    const [first = '', second = '', third = '', fourth = ''] = environments;
    for (const id of [first, second, third, first, fourth]) await cache.read(id);
    takeCalls();
    for (const id of [first, third, fourth]) await cache.read(id);
    expect(takeCalls()).toEqual(['GetItem', 'GetItem', 'GetItem']);
    await cache.read(second);
    expect(takeCalls()).toEqual(READ_ALL);
  });

  test('holds one environment that is larger', async () => {
    await put('f');
    effects.clock.now += 3_600_000;
    const cache = aCache(undefined, 1);
    await cache.read(envId);
    takeCalls();
    await cache.read(envId);
    expect(takeCalls()).toEqual(['GetItem']);
  });

  test('holds a number of empty environments that is bounded, too', async () => {
    const environments = await Promise.all(Array.from({ length: 5 }, () => newEnvironment(store)));
    effects.clock.now += 3_600_000;
    const cache = aCache(undefined, 4 * 4_096);
    for (const id of environments) await cache.read(id);
    takeCalls();
    for (const id of environments.slice(1)) await cache.read(id);
    expect(takeCalls()).toEqual(['GetItem', 'GetItem', 'GetItem', 'GetItem']);
    await cache.read(environments[0] ?? '');
    expect(takeCalls()).toEqual(READ_ALL);
  });
});

describe('the verification of a reading', () => {
  const sentAt = (reading: Reading) => reading.verifiedAt?.now;

  test('has the time at which its read of the version was sent, at first and later', async () => {
    await put('f', '1');
    const began = effects.clock.now;
    const cache = aCache((_, send) => {
      effects.clock.now += 10;
      return send();
    });
    expect(sentAt(await cache.read(envId))).toBe(began);
    const again = effects.clock.now;
    expect(sentAt(await cache.read(envId))).toBe(again);
    expect(effects.clock.now).toBe(again + 10);
  });

  test('has the time of the first attempt if the client retries', async () => {
    await put('f', '1');
    let fails = 1;
    const cache = aCache(async ({ name }, send) => {
      effects.clock.now += 10;
      if (name === 'GetItem' && fails-- > 0) {
        await send();
        effects.clock.now += 500;
      }
      return send();
    });
    const began = effects.clock.now;
    expect(sentAt(await cache.read(envId))).toBe(began);
  });

  test('has the time of each caller’s own read of the version, also in shared readings', async () => {
    await put('f', '1');
    const gate = Promise.withResolvers<void>();
    const cache = aCache(async ({ name }, send) => {
      if (name === 'Query') await gate.promise;
      return send();
    });
    const first = cache.read(envId);
    await until(() => calls.includes('Query'));
    effects.clock.now += 20;
    const second = cache.read(envId);
    await until(() => calls.filter((name) => name === 'GetItem').length === 3);
    gate.resolve();
    const [one, two] = [await first, await second];
    expect([sentAt(two), two.version]).toEqual([(sentAt(one) ?? 0) + 20, one.version]);
  });

  test('is missing before the first write that waits', async () => {
    expect((await aCache().read(envId)).verifiedAt).toBeUndefined();
    await put('f', '1');
    expect((await aCache().read(envId)).verifiedAt).toBeDefined();
  });

  test('is missing if something of the version may be missing', async () => {
    const first = (await put('f', '1'))[0] as StoredDocument;
    const second = (await put('g', '2'))[0] as StoredDocument;
    const { client, flags: TableName } = store.tables;
    for (const { id } of [second]) await client.send(new DeleteItemCommand({ TableName, Key: keys.flag(envId, id) }));
    await client.send(new DeleteItemCommand({ TableName, Key: keys.journal(envId, second.updatedAt) }));
    const reading = await aCache().read(envId);
    expect([reading.version.updatedAt, reading.verifiedAt]).toEqual([first.updatedAt, undefined]);
  });
});
