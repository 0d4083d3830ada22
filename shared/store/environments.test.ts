import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { envIdOfSecret } from '../protocol/secret.ts';
import { createEnvironment, findEnvironment, listEnvironments } from './environments.ts';
import { Conflict, NotFound, StoreError } from './errors.ts';
import { SecretCache } from './secretCache.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables, testEffects } from './testing/testTables.ts';
import { readVersion, VERSION_REPLICAS } from './version.ts';

let database: TestTables;
let tables: Tables;
const effects = testEffects();

beforeAll(async () => {
  database = await startTestTables();
  tables = database.open();
});
afterAll(() => database.close());

describe('a new environment', () => {
  test('has a server and a client secret that open it, and no version yet', async () => {
    const { environment, secrets } = await createEnvironment(tables, effects, 'new');
    expect(secrets.map(({ record }) => [record.name, record.type])).toEqual([
      ['Server Key', 'server'],
      ['Client Key', 'client'],
    ]);
    const cache = new SecretCache(tables, effects);
    for (const { record, value } of secrets) {
      expect(envIdOfSecret(value)).toBe(environment.id);
      expect(await cache.find(value)).toEqual({ envId: environment.id, type: record.type });
    }
    for (let replica = 0; replica < VERSION_REPLICAS; replica++) {
      const random = () => replica / VERSION_REPLICAS;
      expect((await readVersion(tables, { ...effects, random }, environment.id)).updatedAt).toBe(0);
    }
  });

  test('is found by its id, in any letter case, and by its name', async () => {
    const { environment } = await createEnvironment(tables, effects, 'found');
    expect(await findEnvironment(tables, environment.id)).toEqual(environment);
    expect(await findEnvironment(tables, environment.id.toUpperCase())).toEqual(environment);
    expect(await findEnvironment(tables, 'found')).toEqual(environment);
    expect(await listEnvironments(tables)).toContainEqual({ id: environment.id, name: 'found' });
  });

  test('may be given its id: in capitals its secrets open it too', async () => {
    const id = 'AD99D259-1F50-4ED9-A002-7C65E25487DF';
    const { environment, secrets } = await createEnvironment(tables, effects, 'given', id);
    expect(environment.id).toBe(id.toLowerCase());
    for (const { value } of secrets) expect(envIdOfSecret(value)).toBe(environment.id);
  });
});

describe('an environment is refused', () => {
  test('with a name or an id that is taken, and leaves nothing behind', async () => {
    const { environment } = await createEnvironment(tables, effects, 'taken');
    const before = await listEnvironments(tables);
    await expect(createEnvironment(tables, effects, 'taken')).rejects.toThrow(Conflict);
    await expect(createEnvironment(tables, effects, 'other', environment.id)).rejects.toThrow(
      `there is an environment "taken" with id ${environment.id} already`,
    );
    await expect(createEnvironment(tables, effects, 'other', environment.id.toUpperCase())).rejects.toThrow(Conflict);
    expect(await listEnvironments(tables)).toEqual(before);
  });

  test('by the table, when another operator was a moment faster with the same id', async () => {
    const id = 'b3a0c6c2-0000-4000-8000-00000000000e';
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => createEnvironment(tables, effects, `race-${n}`, id)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Conflict);
    }
    const winner = results.find((result) => result.status === 'fulfilled');
    expect(await findEnvironment(tables, id)).toEqual(winner?.value.environment);
    expect((await listEnvironments(tables)).filter((other) => other.id === id)).toHaveLength(1);
  });

  test.each([
    ['no GUID', 'name', 'production'],
    ['the zero GUID, whose secrets open nothing', 'name', '00000000-0000-0000-0000-000000000000'],
    ['a blank name', '  ', undefined],
    ['an id for a name, by which it could not be found', 'b3a0c6c2-0000-4000-8000-00000000000f', undefined],
  ])('with %s', async (_, name, id) => {
    await expect(createEnvironment(tables, effects, name, id)).rejects.toThrow(StoreError);
  });
});

test.each(['nowhere', 'b3a0c6c2-0000-4000-8000-0000000000ff'])(
  'the unknown environment %s is not found',
  async (name) => {
    await expect(findEnvironment(tables, name)).rejects.toThrow(NotFound);
    await expect(findEnvironment(tables, name)).rejects.toThrow(`there is no environment "${name}"`);
    await expect(readVersion(tables, effects, name)).rejects.toThrow(NotFound);
  },
);
