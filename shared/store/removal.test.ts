import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aFlag } from '../testing/builders.ts';
import { createEnvironment, findEnvironment, listEnvironments } from './environments.ts';
import { NotFound } from './errors.ts';
import { removeEnvironment } from './removal.ts';
import { SecretCache } from './secretCache.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables, testAmbient } from './testing/testTables.ts';
import { importDocuments, writeFlag } from './write.ts';

const ambient = testAmbient();
let database: TestTables;
let tables: Tables;

beforeAll(async () => {
  database = await startTestTables();
  tables = database.open();
});
afterAll(() => database.close());

/** An environment with flags enough for several transactions. */
async function anEnvironment(name: string) {
  const created = await createEnvironment(tables, ambient, name);
  const documents = Array.from({ length: 150 }, (_, n) => ({
    kind: 'flag' as const,
    document: aFlag({ key: `flag-${n}` }),
  }));
  await importDocuments(tables, ambient, created.environment.id, documents);
  return created;
}

async function itemsNaming(text: string): Promise<number> {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.flags, ConsistentRead: true }));
  return Items.filter((item) => JSON.stringify(item).includes(text)).length;
}

test('leaves nothing of it, and everything of the others', async () => {
  const [kept, doomed] = [await anEnvironment('kept'), await anEnvironment('doomed')];
  const before = await itemsNaming(kept.environment.id);
  expect(before).toBeGreaterThan(150);
  await removeEnvironment(tables, ambient, doomed.environment);
  expect(await itemsNaming(doomed.environment.id)).toBe(0);
  expect(await itemsNaming(kept.environment.id)).toBe(before);
  expect((await listEnvironments(tables)).map(({ name }) => name)).toEqual(['kept']);
  const cache = new SecretCache(tables, ambient);
  for (const { value } of doomed.secrets) expect(await cache.find(value)).toBeUndefined();
});

test('interrupted anywhere lets nobody in or write, and can be called again', async () => {
  for (const failAt of [1, 2, 3, 4]) {
    const { environment, secrets } = await anEnvironment(`interrupted ${failAt}`);
    let calls = 0;
    const failing = database.open((_, next) => {
      if (++calls === failAt) throw new Error('killed');
      return next();
    });
    await expect(removeEnvironment(failing, ambient, environment)).rejects.toThrow('killed');
    if (failAt > 1) {
      for (const { value } of secrets) expect(await new SecretCache(tables, ambient).find(value)).toBeUndefined();
      const write = writeFlag(tables, ambient, environment.id, 'late', () => aFlag({ key: 'late' }));
      await expect(write).rejects.toThrow(NotFound);
    }
    await removeEnvironment(tables, ambient, await findEnvironment(tables, environment.id));
    expect(await itemsNaming(environment.id)).toBe(0);
  }
});
