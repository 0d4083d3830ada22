import { GetItemCommand, TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IN_SEGMENT } from '../../flags/rule.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import type { Effects } from '../../runtime/effects.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { openStore } from '../store.ts';
import { Conflict } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { commit } from './commit.ts';
import { requireDocument, type StoredDocument } from './item.ts';
import { moveVersion, readVersion, VERSION_REPLICAS } from './version.ts';
import type { DocumentWrite } from './writeSet.ts';

/** The flags table, opened with these effects. */
const tableBy = (effects: Effects): Table => ({ client: store.tables.client, name: store.tables.flags, effects });

useStore(testEffects());

const freshEnvironment = (effects: Effects) => newEnvironment(openStore(store.tables, effects));

const flag = (key: string, replaces = 0): DocumentWrite => ({ kind: 'flag', document: aFlag({ key }), replaces });

/** The unbroken chain of versions from the environment's last one down to 0. */
function expectChain(written: readonly StoredDocument[], last: number) {
  const ascending = written.toSorted((a, b) => a.updatedAt - b.updatedAt);
  let previous = 0;
  for (const document of ascending) {
    expect(document.previous).toBe(previous);
    expect(document.updatedAt).toBeGreaterThan(previous);
    previous = document.updatedAt;
  }
  expect(previous).toBe(last);
}

describe('a version', () => {
  test('is the present time, then one more for each document', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const written = await commit(tableBy(effects), envId, async () => ({ documents: [flag('a'), flag('b')] }));
    const now = effects.now();
    expect(written.map(({ updatedAt, previous, writtenAt }) => [updatedAt, previous, writtenAt])).toEqual([
      [now, 0, now],
      [now + 1, now, now],
    ]);
    const stored = await store.documents.find(envId, 'flag', 'b');
    expect(stored && requireDocument(stored).document).toMatchObject({ envId, updatedAt: formatTimestamp(now + 1) });
    for (let replica = 0; replica < VERSION_REPLICAS; replica++) {
      const random = () => replica / VERSION_REPLICAS;
      expect(await readVersion(tableBy({ ...effects, random }), envId)).toEqual({
        updatedAt: now + 1,
        previous: 0,
        writtenAt: now,
        isUnfinished: false,
        isAwaited: true,
        initial: 0,
        isRestored: false,
      });
    }
  });

  test('rises though the clock is set back, and stands still where nothing is written', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const before = effects.now();
    await commit(tableBy(effects), envId, async () => ({ documents: [flag('a')] }));
    effects.clock.now -= 3_600_000;
    const [written] = await commit(tableBy(effects), envId, async () => ({ documents: [flag('b')] }));
    expect(written).toMatchObject({ updatedAt: before + 1, previous: before, writtenAt: effects.now() });
    expect(await commit(tableBy(effects), envId, async () => ({ documents: [] }))).toEqual([]);
    expect((await store.documents.version(envId)).updatedAt).toBe(before + 1);
  });

  test('costs one look and no transaction where nothing is to be written', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const calls: string[] = [];
    const watched = database.open(effects, ({ name }, send) => {
      calls.push(name);
      return send();
    });
    const table = { ...tableBy(effects), client: watched.tables.client };
    for (const plan of [{ documents: [] }, { documents: [], owed: [] }]) {
      expect(await commit(table, envId, async () => plan)).toEqual([]);
    }
    expect(calls).toEqual(['GetItem', 'GetItem']);
  });

  test('keeps the document’s time on request, or the next free one, never a future one', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const times = [50, 50, 60, effects.now() + 5_000];
    const documents = times.map(
      (time, n): DocumentWrite => ({
        kind: 'segment',
        document: aSegment({ id: `s${n}`, updatedAt: formatTimestamp(time) }),
      }),
    );
    const written = await commit(tableBy(effects), envId, async () => ({ documents, keepTimestamps: true }));
    expect(written.map(({ updatedAt }) => updatedAt)).toEqual([50, 51, 60, effects.now()]);
  });

  test('rises strictly whatever the clock does', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const written: StoredDocument[] = [];
    let n = 0;
    const step = fc.record({ move: fc.integer({ min: -5_000, max: 5_000 }), count: fc.integer({ min: 1, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { move, count } of steps) {
          effects.clock.now += move;
          const documents = Array.from({ length: count }, () => flag(`flag-${n++}`));
          written.push(...(await commit(tableBy(effects), envId, async () => ({ documents }))));
        }
      }),
      { numRuns: 20 },
    );
    expectChain(written, (await store.documents.version(envId)).updatedAt);
  });
});

/**
 * Retries as often as configured. On a busy machine, other writers interfere more often than {@link commit} retries.
 */
async function untilNoConflict<T>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

describe('writers side by side', () => {
  test('lose nothing: each change is there, versions rise, the chain has no gap', async () => {
    const effects = { ...testEffects(), now: Date.now };
    const envId = await freshEnvironment(effects);
    await commit(tableBy(effects), envId, async () => ({ documents: [flag('shared')] }));
    const read = async () => (await store.documents.find(envId, 'flag', 'shared')) as StoredDocument;

    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const written: StoredDocument[] = [];
      const own = { ...tableBy(effects), client: database.open(effects).tables.client };
      for (let n = 0; n < 5; n++) {
        const add = () =>
          commit(own, envId, async () => {
            const stored = await read();
            const { document } = requireDocument(stored) as { document: ReturnType<typeof aFlag> };
            return {
              documents: [
                { kind: 'segment', document: aSegment({ id: `s-${writer}-${n}` }) },
                {
                  kind: 'flag',
                  document: { ...document, tags: [...document.tags, `${writer}-${n}`] },
                  replaces: stored.updatedAt,
                },
              ],
            };
          });
        written.push(...(await untilNoConflict(add)));
      }
      return written;
    });
    const written = (await Promise.all(writers)).flat();

    const tags = (requireDocument(await read()).document as ReturnType<typeof aFlag>).tags;
    expect(tags).toHaveLength(40);
    expect(new Set(tags).size).toBe(40);
    for (let writer = 0; writer < 8; writer++) {
      expect(tags.filter((tag) => tag.startsWith(`${writer}-`))).toEqual([0, 1, 2, 3, 4].map((n) => `${writer}-${n}`));
    }
    const [first] = written.toSorted((a, b) => a.updatedAt - b.updatedAt);
    const seed = { updatedAt: first?.previous, previous: 0 } as StoredDocument;
    expectChain([seed, ...written], (await store.documents.version(envId)).updatedAt);
  });

  test('do not overwrite what was read before the version reached the item', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    await commit(tableBy(effects), envId, async () => ({ documents: [flag('f')] }));
    const old = (await store.documents.find(envId, 'flag', 'f')) as StoredDocument;
    await commit(tableBy(effects), envId, async () => ({
      documents: [{ kind: 'flag', document: aFlag({ key: 'f', name: 'newer' }), replaces: old.updatedAt }],
    }));

    // The version is current, but the item is old. DynamoDB allows this while a transaction is being applied.
    let reads = 0;
    const written = await commit(tableBy(effects), envId, async () => {
      const stored = reads++ === 0 ? old : ((await store.documents.find(envId, 'flag', 'f')) as StoredDocument);
      const document = aFlag({ key: 'f', name: `${(requireDocument(stored).document as { name: string }).name}+` });
      return { documents: [{ kind: 'flag', document, replaces: stored.updatedAt }] };
    });
    expect(reads).toBe(2);
    expect(written.map((stored) => requireDocument(stored).document.name)).toEqual(['newer+']);
  });

  test('never repeat a change that is written, also if it fills a transaction', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    const [owed] = await commit(tableBy(effects), envId, async () => ({
      documents: [{ kind: 'flag', document: aFlag({ key: 'owed', rules }) }],
    }));
    let transactions = 0;
    const overtaken = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems' && ++transactions === 2)
        await commit(tableBy(effects), envId, async () => ({ documents: [flag('another')] }));
      return send();
    });
    let plans = 0;
    await commit({ ...tableBy(effects), client: overtaken.tables.client }, envId, async () => {
      plans++;
      const flags = Array.from({ length: 97 - VERSION_REPLICAS }, (_, n) => flag(`flag-${n}`));
      return {
        documents: [{ kind: 'segment', document: aSegment({ id: 's' }), targetedAt: 'changed' }, ...flags],
        owed: [{ kind: 'flag', document: aFlag({ key: 'owed', rules }), replaces: owed?.updatedAt ?? 0 }],
      };
    });
    expect(plans).toBe(1);
    expect(transactions).toBeGreaterThan(1);
    const [segment, flagOwed] = [
      await store.documents.find(envId, 'segment', 's'),
      await store.documents.find(envId, 'flag', 'owed'),
    ];
    expect(flagOwed?.updatedAt).toBeGreaterThan(segment?.updatedAt ?? Number.NaN);
  });

  test('give up at last, and name the reason', async () => {
    const effects = { ...testEffects(), random: () => 0 };
    const envId = await freshEnvironment(effects);
    const stale = database.open(effects, async ({ name }, send) => {
      if (name === 'TransactWriteItems')
        await commit(tableBy(effects), envId, async () => ({ documents: [flag(effects.uuid())] }));
      return send();
    });
    await expect(
      commit({ ...tableBy(effects), client: stale.tables.client }, envId, async () => ({ documents: [flag('mine')] })),
    ).rejects.toThrow(Conflict);
    expect((await store.documents.load(envId)).map(({ id }) => id)).not.toContain('mine');
  });
});

describe('a writer that does not wait before it acknowledges', () => {
  /** The part of a transaction of release 0.2.0 that moves the version, from what its reader made of the stored number. */
  async function moveAsBefore(envId: string) {
    const { client, name: TableName } = tableBy(testEffects());
    const { Item } = await client.send(
      new GetItemCommand({ TableName, Key: keys.version(envId, 0), ConsistentRead: true }),
    );
    const expected = Number(Item?.['updatedAt']?.N);
    const next = { previous: { N: String(expected) }, updatedAt: { N: String(expected + 1) }, writtenAt: { N: '1' } };
    const puts = Array.from({ length: VERSION_REPLICAS }, (_, replica) => ({
      Put: {
        TableName,
        Item: { ...keys.version(envId, replica), ...next },
        ConditionExpression: 'updatedAt = :expected',
        ExpressionAttributeValues: { ':expected': { N: String(expected) } },
      },
    }));
    await client.send(new TransactWriteItemsCommand({ TransactItems: puts }));
    return expected;
  }

  test('moves no version that one that waits has written, and reads it as it is', async () => {
    const effects = testEffects();
    const envId = await freshEnvironment(effects);
    expect(await moveAsBefore(envId)).toBe(0);
    expect(await readVersion(tableBy(effects), envId)).toMatchObject({ updatedAt: 1, isAwaited: false });
    for (const start of [2, effects.now()]) {
      const documents = [flag(String(start))];
      await commit(tableBy({ ...effects, now: () => start }), envId, async () => ({ documents }));
      const version = await readVersion(tableBy(effects), envId);
      expect(version).toMatchObject({ updatedAt: start, isAwaited: true });
      await expect(moveAsBefore(envId)).rejects.toThrow(TransactionCanceledException);
      expect(await readVersion(tableBy(effects), envId)).toEqual(version);
    }
  });

  test('reads the same number, however large it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (updatedAt) => {
        const [move] = moveVersion(tableBy(testEffects()), 'e', undefined, {
          updatedAt,
          previous: 0,
          writtenAt: 0,
          isUnfinished: false,
          isAwaited: true,
          initial: 0,
          isRestored: false,
        });
        const stored = move?.Put?.Item?.['updatedAt']?.N ?? '';
        expect([Number(stored), stored.length <= 38 + 1, stored === String(updatedAt)]).toEqual([
          updatedAt,
          true,
          false,
        ]);
      }),
    );
  });
});
