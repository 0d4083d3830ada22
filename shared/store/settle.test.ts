import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { IN_SEGMENT } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { createEnvironment } from './environments.ts';
import { requireDocument } from './item.ts';
import { keys } from './keys.ts';
import { isSettled, loadAtVersion } from './settle.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables, testAmbient } from './testing/testTables.ts';
import { readVersion } from './version.ts';
import { writeFlag, writeSegment } from './write.ts';

let database: TestTables;
let tables: Tables;
let envId = '';
let queries = 0;
const ambient = testAmbient();

beforeAll(async () => {
  database = await startTestTables();
  tables = database.open();
});
afterAll(() => database.close());

beforeEach(async () => {
  envId = (await createEnvironment(tables, ambient, `env ${ambient.uuid()}`)).environment.id;
  queries = 0;
});

const put = (key: string, name = '') => writeFlag(tables, ambient, envId, key, () => aFlag({ key, name }));
const putSegment = (fields: Partial<Segment> = {}) =>
  writeSegment(tables, ambient, envId, 's', () => aSegment({ id: 's', ...fields }));

async function load(from: Tables) {
  return loadAtVersion(from, ambient, envId, await readVersion(tables, ambient, envId));
}

/** Tables whose queries show an item as it was, the first few times. */
async function showingOld(
  item: 'FLAG#f' | 'SEGMENT#s',
  times: number,
  change: () => Promise<unknown>,
): Promise<Tables> {
  const Key = { ...keys.environment(envId), sk: { S: item } };
  const { Item: old } = await tables.client.send(new GetItemCommand({ TableName: tables.flags, Key }));
  await change();
  return database.open(async ({ name }, send) => {
    const result = (await send()) as { output: { Items: Record<string, AttributeValue>[] } };
    if (name !== 'Query' || ++queries > times) return result;
    const Items = result.output.Items.flatMap((each) => (each['sk']?.S === item ? (old ? [old] : []) : [each]));
    return { ...result, output: { ...result.output, Items } };
  });
}

describe('a transaction that a query meets half done', () => {
  beforeEach(async () => {
    await putSegment();
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    await writeFlag(tables, ambient, envId, 'f', () => aFlag({ key: 'f', rules }));
  });

  test.each(['FLAG#f', 'SEGMENT#s'] as const)('without %s is read again until all of it is there', async (missing) => {
    const stale = await showingOld(missing, 2, () => putSegment({ included: ['u1'] }));
    const { documents, version } = await load(stale);
    const [flag, segment] = documents;
    expect(segment && requireDocument(segment).document).toMatchObject({ included: ['u1'] });
    expect(flag?.updatedAt).toBe(version.updatedAt);
    expect(queries).toBe(3);
  });

  test('without a new item is read again too', async () => {
    const another = await createEnvironment(tables, ambient, `env ${ambient.uuid()}`);
    envId = another.environment.id;
    const stale = await showingOld('FLAG#f', 1, () => put('f'));
    expect((await load(stale)).documents.map(({ id }) => id)).toEqual(['f']);
  });

  test('for long is taken as it is, and not for final', async () => {
    const stale = await showingOld('SEGMENT#s', 9, () => putSegment({ included: ['u1'] }));
    const { documents, isFinal } = await load(stale);
    expect(documents).toHaveLength(2);
    expect(isFinal).toBe(false);
    expect(queries).toBe(4);
  });

  test('is no concern once the last write has settled: then an item may have been deleted by hand', async () => {
    const stale = await showingOld('FLAG#f', 9, () => putSegment({ included: ['u1'] }));
    const later = { ...ambient, now: () => ambient.now() + 1_001 };
    const { isFinal } = await loadAtVersion(stale, later, envId, await readVersion(tables, ambient, envId));
    expect(isFinal).toBe(true);
    expect(queries).toBe(1);
  });
});

describe('a write while an environment is being read', () => {
  test('is in it with its version, or not at all', async () => {
    await put('f', 'old');
    const version = await readVersion(tables, ambient, envId);
    await put('f', 'new');
    const reading = await loadAtVersion(tables, ambient, envId, version);
    expect(reading.documents.map((stored) => requireDocument(stored).document.name)).toEqual(['new']);
    expect(reading.version.updatedAt).toBe(reading.documents[0]?.updatedAt);
  });

  test('again and again does not keep a reader for ever', async () => {
    const busy = database.open(async ({ name }, send) => {
      if (name === 'Query') {
        queries++;
        await put('f', ambient.uuid());
      }
      return send();
    });
    expect((await load(busy)).documents).toHaveLength(1);
    expect(queries).toBe(4);
  });
});

test('a version settles a second after it was written', () => {
  const version = { updatedAt: 1, previous: 0, writtenAt: 5_000 };
  expect(isSettled(version, 6_000)).toBe(false);
  expect(isSettled(version, 6_001)).toBe(true);
  expect(isSettled(version, 4_000)).toBe(false);
});
