import { randomBytes } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../testing/builders.ts';
import { createEnvironment } from './environments.ts';
import type { StoredDocument } from './item.ts';
import { loadChanges } from './journal.ts';
import { keys } from './keys.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables, testEffects } from './testing/testTables.ts';
import { readVersion } from './version.ts';
import { importDocuments, writeFlag, writeSegment } from './write.ts';

const effects = testEffects();
let database: TestTables;
let tables: Tables;
let envId: string;

beforeAll(async () => {
  database = await startTestTables();
  tables = database.open();
});
afterAll(() => database.close());
beforeEach(async () => {
  envId = (await createEnvironment(tables, effects, effects.uuid().replace('-', ' '))).environment.id;
});

const put = (key: string, name: string, description = '') =>
  writeFlag(tables, effects, envId, key, () => aFlag({ key, name, description }));
const current = async () => (await readVersion(tables, effects, envId)).updatedAt;
const changesSince = async (after: number) => loadChanges(tables, envId, after, await current());
const names = (changes: readonly StoredDocument[] | undefined) =>
  changes?.map(({ body }) => ('text' in body ? JSON.parse(body.text).name : 'compressed'));

describe('the journal', () => {
  test('gives every change back as it was written, in order, however often a flag was replaced', async () => {
    const written: StoredDocument[] = [];
    for (let n = 0; n < 5; n++) written.push(...(await put('f', `name ${n}`)));
    expect(await changesSince(0)).toEqual(written);
    expect(names(await changesSince(written[2]?.updatedAt ?? 0))).toEqual(['name 3', 'name 4']);
    expect(await changesSince(await current())).toEqual([]);
  });

  test('holds all of a transaction, segments before flags, and of an import in several', async () => {
    const documents = Array.from({ length: 150 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `f${n}` }),
    }));
    await importDocuments(tables, effects, envId, documents);
    expect(await changesSince(0)).toHaveLength(150);
    const before = await current();
    await writeSegment(tables, effects, envId, 's', () => aSegment({ id: 's' }));
    expect((await changesSince(before))?.map(({ kind, id }) => [kind, id])).toEqual([['segment', 's']]);
  });

  test('says that it lacks something rather than leave it out', async () => {
    const [first] = await put('f', 'a');
    const [second] = await put('f', 'b');
    await put('f', 'c');
    const Key = keys.journal(envId, second?.updatedAt ?? 0);
    await tables.client.send(new DeleteItemCommand({ TableName: tables.flags, Key }));
    expect(await changesSince(0)).toBeUndefined();
    expect(await changesSince(first?.updatedAt ?? 0)).toBeUndefined();
    expect(names(await changesSince(second?.updatedAt ?? 0))).toEqual(['c']);
    expect(await loadChanges(tables, envId, second?.updatedAt ?? 0, (await current()) + 1)).toBeUndefined();
  });

  test('is no hindrance to a document that it has no room for', async () => {
    const [written] = await put('large', 'x', randomBytes(370_000).toString('base64'));
    expect(written).toMatchObject({ id: 'large' });
    expect(await changesSince(0)).toBeUndefined();
  });

  test('is no flag to the stream’s filter, and goes after an hour', async () => {
    const [written] = await put('f', 'a');
    const Key = keys.journal(envId, written?.updatedAt ?? 0);
    const { Item } = await tables.client.send(new GetItemCommand({ TableName: tables.flags, Key }));
    expect(Item).not.toHaveProperty('kind');
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(effects.now() / 1_000) + 3_600);
  });
});
