import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { IN_SEGMENT } from '../../flags/rule.ts';
import type { Segment } from '../../flags/segment.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { requireDocument } from '../documents/item.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type TestStore, testEffects } from '../testing/testTables.ts';
import { isStable, loadAtVersion, observe, type VersionObservation } from './consistentRead.ts';

let envId = '';
let queries = 0;
const effects = testEffects();

useStore(effects);

beforeEach(async () => {
  envId = await newEnvironment();
  queries = 0;
});

const put = (key: string, name = '') => store.documents.writeFlag(envId, key, () => aFlag({ key, name }));
const putSegment = (fields: Partial<Segment> = {}) =>
  store.documents.writeSegment(envId, 's', () => aSegment({ id: 's', ...fields }));

/** The current version, known for some time. */
async function observation(knownForMs = 0): Promise<VersionObservation> {
  const version = await store.documents.version(envId);
  return { version, firstAt: effects.monotonic() - knownForMs };
}

async function load(from: TestStore, knownForMs = 0, by = effects) {
  return loadAtVersion({ ...from, effects: by }, envId, await observation(knownForMs));
}

/** A store whose first queries show an old item, and either the whole journal or nothing of it. */
async function showingOld(
  item: string,
  times: number,
  change: () => Promise<unknown>,
  journal: 'journal' | 'no journal' = 'journal',
): Promise<TestStore> {
  const Key = { ...keys.environment(envId), sk: { S: item } };
  const { Item: old } = await store.tables.client.send(new GetItemCommand({ TableName: store.tables.flags, Key }));
  await change();
  return database.open(effects, async ({ name }, send) => {
    const result = (await send()) as { output: { Items: Record<string, AttributeValue>[] } };
    if (name !== 'Query' || ++queries > times) return result;
    const Items = result.output.Items.flatMap((each) => {
      if (each['pk']?.S?.startsWith('JOURNAL#')) return journal === 'journal' ? [each] : [];
      return each['sk']?.S === item ? (old ? [old] : []) : [each];
    });
    return { ...result, output: { ...result.output, Items } };
  });
}

describe('a transaction that a query meets half done', () => {
  beforeEach(async () => {
    await putSegment();
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', rules }));
  });

  test.each([
    ['FLAG#f', 'journal', 2],
    ['SEGMENT#s', 'journal', 2],
    ['FLAG#f', 'no journal', 3],
    ['SEGMENT#s', 'no journal', 3],
  ] as const)('is completed without %s (%s, %i queries)', async (missing, journal, expected) => {
    const stale = await showingOld(missing, 2, () => putSegment({ included: ['u1'] }), journal);
    const { documents, observation, isWhole } = await load(stale);
    const [flag, segment] = documents;
    expect(segment && requireDocument(segment).document).toMatchObject({ included: ['u1'] });
    expect([flag?.updatedAt, isWhole]).toEqual([observation.version.updatedAt, true]);
    expect(queries).toBe(expected);
  });

  test('is read again without a new item, too', async () => {
    const another = await store.environments.create(`env ${effects.uuid()}`);
    envId = another.environment.id;
    const stale = await showingOld('FLAG#f', 1, () => put('f'));
    expect((await load(stale)).documents.map(({ id }) => id)).toEqual(['f']);
  });

  test('is returned as incomplete if it stays half done', async () => {
    const stale = await showingOld('SEGMENT#s', 9, () => putSegment({ included: ['u1'] }), 'no journal');
    expect(await load(stale)).toMatchObject({ documents: [{}, {}], isWhole: false, isFinal: false });
    expect(queries).toBe(7);
  });

  test.each([5_000, 3_600_000])('is read again though the writer’s clock was %i ms slow', async (slowMs) => {
    const stale = await showingOld('FLAG#f', 2, async () => {
      effects.clock.now -= slowMs;
      await putSegment({ included: ['u1'] });
      effects.clock.now += slowMs;
    });
    expect(await load(stale)).toMatchObject({ isWhole: true, isFinal: slowMs > 900_000 });
    expect(queries).toBe(2);
  });

  test.each(['FLAG#f', 'SEGMENT#s'])(
    'is complete without %s after a second, as an item was deleted by hand',
    async (missing) => {
      const stale = await showingOld(missing, 9, () => putSegment({ included: ['u1'] }));
      expect(await load(stale, 1_001)).toMatchObject({ isWhole: true, isFinal: true });
      expect(queries).toBe(1);
    },
  );
});

describe('all of the last transaction', () => {
  test.each([
    ['is not final in the first second, as what was written before it may be on its way', 1_000, 0, false],
    ['is final from then on', 1_001, 0, true],
    ['is final at once where it was written more than a quarter of an hour ago', 0, 900_001, true],
    ['is not final where clocks may be that far apart', 0, 900_000, false],
  ])('%s', async (_, knownForMs, writtenMsAgo, isFinal) => {
    await put('f');
    const later = { ...effects, now: () => effects.now() + writtenMsAgo };
    expect(await load(store, knownForMs, later)).toMatchObject({ isWhole: true, isFinal });
  });

  test('is found among thousands of documents that were written before', async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `flag-${n}` }),
    }));
    await store.documents.import(envId, many);
    const { documents, isWhole } = await load(await showingOld('FLAG#flag-299', 1, () => put('flag-299', 'new')));
    expect([documents.length, isWhole, queries]).toEqual([300, true, 2]);
  });
});

describe('a write while an environment is being read', () => {
  test('is in it with its version, or not at all', async () => {
    await put('f', 'old');
    const asked = await observation(60_000);
    await put('f', 'new');
    const reading = await loadAtVersion(store, envId, asked);
    expect(reading.documents.map((stored) => requireDocument(stored).document.name)).toEqual(['new']);
    expect(reading.observation.version.updatedAt).toBe(reading.documents[0]?.updatedAt);
    // The version known for a minute is complete, and the journal continues from it.
    expect(reading).toMatchObject({ isWhole: true, isFinal: true });
  });

  test('is followed in the journal if it happens repeatedly', async () => {
    const busy = database.open(effects, async ({ name }, send) => {
      if (name === 'Query') await put('f', `${++queries}`);
      return send();
    });
    const { documents, observation, isWhole } = await load(busy);
    expect(documents.map(({ updatedAt }) => updatedAt)).toEqual([observation.version.updatedAt]);
    expect([queries, isWhole]).toEqual([2, true]);
  });

  test('does not keep a reader for ever if it happens repeatedly without a journal', async () => {
    const busy = database.open(effects, async ({ name }, send) => {
      if (name !== 'Query') return send();
      await put('f', `${++queries}`);
      const result = (await send()) as { output: { Items: Record<string, AttributeValue>[] } };
      return {
        ...result,
        output: { ...result.output, Items: result.output.Items.filter(({ pk }) => !pk?.S?.startsWith('JOURNAL#')) },
      };
    });
    expect(await load(busy)).toMatchObject({ documents: [{}], isWhole: false });
    expect(queries).toBe(7);
  });
});

test('a version settles a second after a reader first met it, with any clocks', () => {
  const reader = { ...effects, monotonic: () => 7_000 };
  const version = {
    updatedAt: 1,
    previous: 0,
    writtenAt: 0,
    isUnfinished: false,
    isAwaited: false,
    initial: 0,
    isRestored: false,
  };
  const first = observe(reader, version, undefined);
  const known = observe({ ...reader, monotonic: () => 8_000 }, version, first);
  const replaced = observe({ ...reader, monotonic: () => 8_000 }, { ...version, updatedAt: 2 }, first);
  expect([first, known, replaced].map(({ firstAt }) => firstAt)).toEqual([7_000, 7_000, 8_000]);
  expect(isStable({ ...reader, monotonic: () => 8_000 }, known)).toBe(false);
  expect(isStable({ ...reader, monotonic: () => 8_001 }, known)).toBe(true);
  expect(isStable({ ...reader, monotonic: () => 8_001 }, replaced)).toBe(false);
});
