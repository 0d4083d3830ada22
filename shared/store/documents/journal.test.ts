import { randomBytes } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { keys } from '../table/keys.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import type { StoredDocument } from './item.ts';

const effects = testEffects();
let envId: string;

useStore(effects);
beforeEach(async () => {
  envId = await newEnvironment();
});

const put = (key: string, name: string, description = '') =>
  store.documents.writeFlag(envId, key, () => aFlag({ key, name, description }));
const current = async () => (await store.documents.version(envId)).updatedAt;
const changesSince = async (after: number) => store.documents.changes(envId, after, await current());
const names = (changes: readonly StoredDocument[] | undefined) =>
  changes?.map(({ body }) => ('text' in body ? JSON.parse(body.text).name : 'compressed'));

describe('the journal', () => {
  test('returns every change as written, in order, also of a replaced flag', async () => {
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
    await store.documents.import(envId, documents);
    expect(await changesSince(0)).toHaveLength(150);
    const before = await current();
    await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's' }));
    expect((await changesSince(before))?.map(({ kind, id }) => [kind, id])).toEqual([['segment', 's']]);
  });

  test('says that it lacks something rather than leave it out', async () => {
    const [first] = await put('f', 'a');
    const [second] = await put('f', 'b');
    await put('f', 'c');
    const Key = keys.journal(envId, second?.updatedAt ?? 0);
    await store.tables.client.send(new DeleteItemCommand({ TableName: store.tables.flags, Key }));
    expect(await changesSince(0)).toBeUndefined();
    expect(await changesSince(first?.updatedAt ?? 0)).toBeUndefined();
    expect(names(await changesSince(second?.updatedAt ?? 0))).toEqual(['c']);
    expect(await store.documents.changes(envId, second?.updatedAt ?? 0, (await current()) + 1)).toBeUndefined();
  });

  test('returns missed changes, or the present documents if it lacks some', async () => {
    const [first] = await put('f', 'a');
    const [second] = await put('f', 'b');
    const [third] = await put('g', 'c');
    await put('f', 'd');
    const missed = (after = 0, upTo = 0) => store.documents.missed(envId, after, upTo);
    const upTo = await current();
    expect(names(await missed(first?.updatedAt, upTo))).toEqual(['b', 'c', 'd']);
    await store.tables.client.send(
      new DeleteItemCommand({ TableName: store.tables.flags, Key: keys.journal(envId, second?.updatedAt ?? 0) }),
    );
    expect(names(await missed(first?.updatedAt, upTo))).toEqual(['d', 'c']);
    expect(names(await missed(first?.updatedAt, third?.updatedAt))).toEqual(['c']);
    expect(await missed(upTo, upTo)).toEqual([]);
  });

  test('is not read to its end if it lacks the first missed change', async () => {
    const description = randomBytes(300_000).toString('base64');
    const [first] = await put('f', 'a', description);
    for (const name of ['b', 'c', 'd', 'e', 'g']) await put('f', name, description);
    let pages = 0;
    const { documents } = database.open(effects, (call, send) => {
      if (call.name === 'Query') pages++;
      return send();
    });
    const upTo = await current();
    expect(await documents.changes(envId, (first?.updatedAt ?? 0) - 1, upTo)).toBeUndefined();
    expect(pages).toBe(1);
    expect(await documents.changes(envId, first?.updatedAt ?? 0, upTo)).toHaveLength(5);
    expect(pages).toBeGreaterThan(2);
  });

  test('is no hindrance to a document that it has no room for', async () => {
    const [written] = await put('large', 'x', randomBytes(370_000).toString('base64'));
    expect(written).toMatchObject({ id: 'large' });
    expect(await changesSince(0)).toBeUndefined();
  });

  test('is no flag to the stream’s filter, and goes after an hour', async () => {
    const [written] = await put('f', 'a');
    const Key = keys.journal(envId, written?.updatedAt ?? 0);
    const { Item } = await store.tables.client.send(new GetItemCommand({ TableName: store.tables.flags, Key }));
    expect(Item).not.toHaveProperty('kind');
    expect(Number(Item?.['expiresAt']?.N)).toBe(Math.floor(effects.now() / 1_000) + 3_600);
  });
});
