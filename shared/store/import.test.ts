import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { asDeleted } from '../flags/deletion.ts';
import type { Document } from '../flags/document.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { benchmarkDocuments, parseDocuments } from '../testing/fixtures.ts';
import { requireDocument, type StoredDocument } from './documents/item.ts';
import { InvalidDocument } from './table/errors.ts';
import { database, newEnvironment, store, useStore } from './testing/testStore.ts';
import { type TestStore, testEffects } from './testing/testTables.ts';

const effects = testEffects();

useStore(effects);

function benchmark(): Document[] {
  const { flags, segments } = parseDocuments(benchmarkDocuments());
  return [
    ...flags.map((document): Document => ({ kind: 'flag', document })),
    ...segments.map((document): Document => ({ kind: 'segment', document })),
  ];
}

/** Flags with timestamps a minute apart. */
function manyFlags(count: number, text = ''): Document[] {
  return Array.from({ length: count }, (_, n) => ({
    kind: 'flag',
    document: aFlag({ key: `flag-${n}`, description: text, updatedAt: formatTimestamp((n + 1) * 60_000) }),
  }));
}

/** A store whose n-th transaction fails, before it is sent or after it was applied. */
function failingAt(nth: number, when: 'before' | 'after'): TestStore {
  let transactions = 0;
  return database.open(effects, async ({ name }, send) => {
    const isIt = name === 'TransactWriteItems' && ++transactions === nth;
    if (isIt && when === 'before') throw new Error('the cable was pulled');
    const output = await send();
    if (isIt) throw new Error('the cable was pulled');
    return output;
  });
}

function summary(documents: readonly StoredDocument[]) {
  return documents.map(({ kind, id, updatedAt, body }) => ({ kind, id, updatedAt, body }));
}

async function expectUniqueAscending(envId: string) {
  const documents = (await store.documents.load(envId)).toSorted((a, b) => a.updatedAt - b.updatedAt);
  const versions = documents.map(({ updatedAt }) => updatedAt);
  expect(new Set(versions).size).toBe(versions.length);
  expect((await store.documents.version(envId)).updatedAt).toBe(versions.at(-1));
}

describe('an import into a fresh environment', () => {
  test('keeps each document’s own time', async () => {
    const envId = await newEnvironment();
    const documents = benchmark();
    await store.documents.import(envId, documents);
    const times = Object.fromEntries((await store.documents.load(envId)).map(({ id, updatedAt }) => [id, updatedAt]));
    for (const { kind, document } of documents) {
      expect(times[kind === 'flag' ? document.key : document.id]).toBe(Date.parse(document.updatedAt));
    }
    await expectUniqueAscending(envId);
  });

  test('gives documents that share a time one each', async () => {
    const envId = await newEnvironment();
    const documents = manyFlags(200).map((source) => ({
      ...source,
      document: { ...source.document, updatedAt: formatTimestamp(5_000) },
    })) as Document[];
    const written = await store.documents.import(envId, documents);
    expect(written.map(({ updatedAt }) => updatedAt)).toEqual(Array.from({ length: 200 }, (_, n) => 5_000 + n));
    await expectUniqueAscending(envId);
  });

  test('changes nothing if it is repeated', async () => {
    const envId = await newEnvironment();
    await store.documents.import(envId, benchmark());
    const before = await store.documents.load(envId);
    effects.clock.now += 60_000;
    expect(await store.documents.import(envId, benchmark())).toEqual([]);
    expect(await store.documents.load(envId)).toEqual(before);
  });

  test.each([
    [1, 'before'],
    [1, 'after'],
    [2, 'before'],
    [2, 'after'],
    [3, 'before'],
    [3, 'after'],
  ] as const)('is completed by another after a stop at transaction %i, %s it was carried out', async (nth, when) => {
    const [broken, whole] = [await newEnvironment(), await newEnvironment()];
    const documents = manyFlags(250);
    await store.documents.import(whole, documents);

    const first = failingAt(nth, when).documents.import(broken, documents);
    await expect(first).rejects.toThrow('the cable was pulled');
    const kept = (nth - (when === 'before' ? 1 : 0)) * 94;
    expect(await store.documents.load(broken)).toHaveLength(Math.min(kept, 250));

    const written = await store.documents.import(broken, documents);
    expect(written).toHaveLength(250 - Math.min(kept, 250));
    const text = (stored: StoredDocument[]) => JSON.stringify(summary(stored));
    expect(text(await store.documents.load(broken))).toBe(
      text(await store.documents.load(whole)).replaceAll(whole, broken),
    );
    await expectUniqueAscending(broken);
  });

  test('keeps large documents within what a transaction can carry', async () => {
    const envId = await newEnvironment();
    const documents = manyFlags(24).map((source) => ({
      ...source,
      document: { ...source.document, description: randomBytes(250_000).toString('base64') },
    })) as Document[];
    expect(await store.documents.import(envId, documents)).toHaveLength(24);
    expect(await store.documents.load(envId)).toHaveLength(24);
  });

  test('never shows a flag without the segment that it refers to, not even half done', async () => {
    const envId = await newEnvironment();
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["late"]')])];
    const early: Document = { kind: 'flag', document: aFlag({ key: 'early', rules, updatedAt: formatTimestamp(1) }) };
    const late: Document = {
      kind: 'segment',
      document: aSegment({ id: 'late', updatedAt: formatTimestamp(110 * 60_000 + 1) }),
    };
    const import_ = failingAt(2, 'before').documents.import(envId, [early, ...manyFlags(120), late]);
    await expect(import_).rejects.toThrow();
    expect((await store.documents.load(envId)).map(({ id }) => id)).not.toContain('early');
    await store.documents.import(envId, [early, ...manyFlags(120), late]);
    const versions = Object.fromEntries(
      (await store.documents.load(envId)).map(({ id, updatedAt }) => [id, updatedAt]),
    );
    expect(versions['early']).toBe((versions['late'] ?? 0) + 1);
    expect(versions['flag-119']).toBe(120 * 60_000);
  });
});

describe('an import into an environment with data', () => {
  test('gives what differs the present time, and leaves the rest alone', async () => {
    const envId = await newEnvironment();
    const [first, second] = manyFlags(2) as [Document, Document];
    await store.documents.import(envId, [second]);
    const written = await store.documents.import(envId, [first, second]);
    expect(written.map(({ id, updatedAt }) => [id, updatedAt])).toEqual([['flag-0', effects.now()]]);
    await expectUniqueAscending(envId);
  });

  test('keeps what it does not name', async () => {
    const envId = await newEnvironment();
    await store.documents.import(envId, manyFlags(3));
    await store.documents.import(envId, benchmark());
    expect(await store.documents.load(envId)).toHaveLength(3 + 7);
  });
});

test('two documents of one name are refused before anything is written', async () => {
  const envId = await newEnvironment();
  const [flag] = manyFlags(1) as [Document];
  const twice = store.documents.import(envId, [flag, ...manyFlags(150).slice(1), flag]);
  await expect(twice).rejects.toThrow(InvalidDocument);
  await expect(twice).rejects.toThrow('flag "flag-0" is there twice; nothing was written');
  expect(await store.documents.load(envId)).toEqual([]);

  const named = aSegment({ id: 'flag-0' });
  expect(await store.documents.import(envId, [flag, { kind: 'segment', document: named }])).toHaveLength(2);
});

describe('an import and deleted documents', () => {
  const deleted = (key: string): Document => ({ kind: 'flag', document: asDeleted(aFlag({ key })) });

  test('makes a document anew that was deleted', async () => {
    const envId = await newEnvironment();
    const [first] = await store.documents.import(envId, [deleted('f')]);
    const written = await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f' }) }]);
    expect(written.map(requireDocument)).toMatchObject([{ document: { key: 'f', isArchived: false } }]);
    expect(written[0]?.updatedAt).toBeGreaterThan(first?.updatedAt ?? Number.NaN);
  });

  test('brings a deletion along, but deletes nothing', async () => {
    const envId = await newEnvironment();
    await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'kept' }) }]);
    const written = await store.documents.import(envId, [deleted('kept'), deleted('gone')]);
    expect(written.map(requireDocument)).toMatchObject([{ document: { key: 'gone', isDeleted: true } }]);
    expect(await store.documents.import(envId, [deleted('gone')])).toEqual([]);
  });
});
