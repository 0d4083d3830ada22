import { paginateScan } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { aFlag } from '../../testing/builders.ts';
import { NotFound } from '../table/errors.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import type { Environment } from './environment.ts';
import { SecretCache } from './secretCache.ts';

const effects = testEffects();

useStore(effects);

/** An environment with enough flags for several transactions. */
async function anEnvironment(name: string, flags = 150) {
  const created = await store.environments.create(name);
  const documents = Array.from({ length: flags }, (_, n) => ({
    kind: 'flag' as const,
    document: aFlag({ key: `flag-${n}` }),
  }));
  await store.documents.import(created.environment.id, documents);
  return created;
}

/** All items that contain a text, each as JSON. */
async function itemsNaming(text: string): Promise<string[]> {
  const found: string[] = [];
  const pages = paginateScan({ client: store.tables.client }, { TableName: store.tables.flags, ConsistentRead: true });
  for await (const { Items = [] } of pages) found.push(...Items.map((item) => JSON.stringify(item)));
  return found.filter((item) => item.includes(text));
}

test('leaves its last version only, and everything of the others', async () => {
  const [kept, removed] = [await anEnvironment('kept'), await anEnvironment('removed')];
  const before = await itemsNaming(kept.environment.id);
  expect(before.length).toBeGreaterThan(150);
  const { id } = removed.environment;
  const { updatedAt } = await store.documents.version(id);
  await store.environments.remove(removed.environment);
  const last = { pk: { S: `VERSION#${id}#0` }, sk: { S: 'LAST' }, updatedAt: { N: String(updatedAt) } };
  expect((await itemsNaming(id)).map((item) => JSON.parse(item))).toEqual([last]);
  expect(await itemsNaming(kept.environment.id)).toEqual(before);
  expect((await store.environments.list()).map(({ name }) => name)).toEqual(['kept']);
  const cache = new SecretCache(store);
  for (const { value } of removed.secrets) expect(await cache.find(value)).toBeUndefined();
});

test('revokes secrets before they go, which is what ends their connections', async () => {
  const { environment } = await anEnvironment('with connections', 1);
  const written: unknown[] = [];
  const watched = database.open(effects, ({ input }, send) => {
    for (const { Put } of input.TransactItems ?? []) if (Put?.Item.type) written.push(Put.Item.revokedAt);
    return send();
  });
  await watched.environments.remove(environment);
  expect(written).toEqual(environment.secrets.map(() => ({ S: new Date(effects.now()).toISOString() })));
});

/** The number of remaining items of each family (for secrets: valid ones), and whether the environment is found. */
async function remainsOf({ id, name }: Environment) {
  const items = await itemsNaming(id);
  const left = (family: string) => items.filter((item) => JSON.parse(item).pk.S.startsWith(family)).length;
  return {
    secrets: items.filter((item) => item.includes('SECRET#') && !item.includes('revokedAt')).length,
    versions: items.filter((item) => item.includes('VERSION#') && !item.includes('LAST')).length,
    changes: left('JOURNAL#'),
    documents: (await store.documents.load(id)).length,
    isFound: await store.environments.find(name).then(
      () => true,
      () => false,
    ),
  };
}

test('removes keys, writes, contents and index in an order that may end anywhere', async () => {
  // Secrets for more than one transaction, and documents so that one transaction begins with the very last key.
  const { environment } = await anEnvironment('many', 295);
  for (let n = 0; n < 120; n++) await store.secrets.create('many', `secret ${n}`, 'client');
  const states = [await remainsOf(environment)];
  const watched = database.open(effects, async ({ name }, send) => {
    const output = await send();
    if (name === 'TransactWriteItems') states.push(await remainsOf(environment));
    return output;
  });
  await watched.environments.remove(await store.environments.find('many'));
  const all = { secrets: 122, versions: 4, changes: 4, documents: 295, isFound: true };
  expect(states[0]).toEqual(all);
  expect(states.at(-1)).toEqual({ secrets: 0, versions: 0, changes: 0, documents: 0, isFound: false });
  expect(states.length).toBeGreaterThan(6);
  for (const { secrets, versions, changes, documents } of states) {
    if (versions < all.versions) expect(secrets).toBe(0);
    if (documents < all.documents || changes < all.changes) expect(versions).toBe(0);
  }
  expect(states.slice(0, -1).every(({ isFound }) => isFound)).toBe(true);
}, 60_000);

test('interrupted anywhere lets nobody in or write, and can be called again', async () => {
  for (let failAt = 1, isKilled = true; isKilled; failAt++) {
    const { environment, secrets } = await anEnvironment(`interrupted ${failAt}`);
    let calls = 0;
    const failing = database.open(effects, (_, next) => {
      if (++calls === failAt) throw new Error('killed');
      return next();
    });
    isKilled = await failing.environments.remove(environment).then(
      () => false,
      () => true,
    );
    if (failAt > 2) {
      for (const { value } of secrets) expect(await new SecretCache(store).find(value)).toBeUndefined();
      const write = store.documents.writeFlag(environment.id, 'late', () => aFlag({ key: 'late' }));
      await expect(write).rejects.toThrow(NotFound);
    }
    if (isKilled) await store.environments.remove(await store.environments.find(environment.name));
    expect((await itemsNaming(environment.id)).map((item) => JSON.parse(item).sk.S)).toEqual(['LAST']);
  }
}, 60_000);
