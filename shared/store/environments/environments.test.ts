import { describe, expect, test } from '@jest/globals';
import { envIdOfSecret } from '../../protocol/secret.ts';
import { VERSION_REPLICAS } from '../documents/version.ts';
import { openStore } from '../store.ts';
import { Conflict, NotFound, StoreError } from '../table/errors.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { SecretCache } from './secretCache.ts';

const effects = testEffects();

useStore(effects);

describe('a new environment', () => {
  test('has a server and a client secret that open it, and no version yet', async () => {
    const { environment, secrets } = await store.environments.create('new');
    expect(secrets.map(({ record }) => [record.name, record.type])).toEqual([
      ['Server Key', 'server'],
      ['Client Key', 'client'],
    ]);
    const cache = new SecretCache(store);
    for (const { record, value } of secrets) {
      expect(envIdOfSecret(value)).toBe(environment.id);
      expect(await cache.find(value)).toEqual({ envId: environment.id, type: record.type });
    }
    for (let replica = 0; replica < VERSION_REPLICAS; replica++) {
      const random = () => replica / VERSION_REPLICAS;
      expect((await openStore(store.tables, { ...effects, random }).documents.version(environment.id)).updatedAt).toBe(
        0,
      );
    }
  });

  test('is found by its id, in any letter case, and by its name', async () => {
    const { environment } = await store.environments.create('found');
    expect(await store.environments.find(environment.id)).toEqual(environment);
    expect(await store.environments.find(environment.id.toUpperCase())).toEqual(environment);
    expect(await store.environments.find('found')).toEqual(environment);
    expect(await store.environments.list()).toContainEqual({
      id: environment.id,
      name: 'found',
      isProduction: false,
    });
  });

  test('may be given its id: in capitals its secrets open it too', async () => {
    const id = 'AD99D259-1F50-4ED9-A002-7C65E25487DF';
    const { environment, secrets } = await store.environments.create('given', id);
    expect(environment.id).toBe(id.toLowerCase());
    for (const { value } of secrets) expect(envIdOfSecret(value)).toBe(environment.id);
  });
});

describe('an environment that is changed', () => {
  test('has what was said, and all else as before, also in the list', async () => {
    const { environment } = await store.environments.create('before');
    const { id } = environment;
    expect(await store.environments.change({ id }, { name: 'after', isProduction: true })).toMatchObject({ id });
    await store.environments.change({ id }, { historyDays: 30 });
    const expected = { ...environment, name: 'after', isProduction: true, historyDays: 30, revision: 3 };
    expect(await store.environments.find('after')).toEqual(expected);
    expect(await store.environments.list()).toContainEqual({ id, name: 'after', isProduction: true });
    await expect(store.environments.find('before')).rejects.toThrow(NotFound);
  });

  test('keeps its mark when its secrets change', async () => {
    const { environment } = await store.environments.create('marked');
    await store.environments.change(environment, { isProduction: true });
    await store.secrets.create('marked', 'third', 'server');
    expect((await store.environments.find('marked')).isProduction).toBe(true);
  });

  test('may require a reason, which stays when its secrets change', async () => {
    const { environment } = await store.environments.create('reasons');
    expect(environment.requiresReason).toBe(false);
    await store.environments.change(environment, { requiresReason: true });
    await store.secrets.create('reasons', 'third', 'server');
    expect((await store.environments.find('reasons')).requiresReason).toBe(true);
  });

  test('may be given the name that it has, and no other’s', async () => {
    const { environment } = await store.environments.create('own');
    await store.environments.create('others');
    expect((await store.environments.change(environment, { name: 'own' })).name).toBe('own');
    await expect(store.environments.change(environment, { name: 'others' })).rejects.toThrow(Conflict);
    expect((await store.environments.find(environment.id)).name).toBe('own');
  });

  test.each([
    [{ name: ' ' }, 'name must not be blank'],
    [{ historyDays: 0 }, 'a whole number of days, from 1 to 3650'],
    [{ historyDays: Number.NaN }, 'a whole number of days'],
    [{ historyDays: 4_000 }, 'a whole number of days'],
  ])('is refused with %p', async (change, message) => {
    const { environment } = await store.environments.create(`refusing "${Object.values(change)}"`);
    await expect(store.environments.change(environment, change)).rejects.toThrow(message);
    expect(await store.environments.find(environment.id)).toEqual(environment);
  });
});

describe('the rules for environments', () => {
  test('refuse a name or an id that is taken, without a trace', async () => {
    const { environment } = await store.environments.create('taken');
    const before = await store.environments.list();
    await expect(store.environments.create('taken')).rejects.toThrow(Conflict);
    await expect(store.environments.create('other', environment.id)).rejects.toThrow(
      `environment "taken" with id ${environment.id} already exists`,
    );
    await expect(store.environments.create('other', environment.id.toUpperCase())).rejects.toThrow(Conflict);
    expect(await store.environments.list()).toEqual(before);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['created', () => store.environments.create('same')],
    ['renamed', (id: string) => store.environments.change({ id }, { name: 'the same' })],
  ])('let one of several environments be %s to a name at the same time', async (_, act) => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n++)
      ids.push((await store.environments.create(`one of ${n} ${effects.uuid()}`)).environment.id);
    const results = await Promise.allSettled(ids.map(act));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Conflict);
    const names = (await store.environments.list()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('refuse an id that another operator took a moment earlier', async () => {
    const id = 'b3a0c6c2-0000-4000-8000-00000000000e';
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => store.environments.create(`race-${n}`, id)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Conflict);
    }
    const winner = results.find((result) => result.status === 'fulfilled');
    expect(await store.environments.find(id)).toEqual(winner?.value.environment);
    expect((await store.environments.list()).filter((other) => other.id === id)).toHaveLength(1);
  });

  test.each([
    ['no GUID', 'name', 'production', 'id must be a GUID other than zero, but is "production"'],
    [
      'the zero GUID, whose secrets open nothing',
      'name',
      '00000000-0000-0000-0000-000000000000',
      'id must be a GUID other than zero',
    ],
    ['a blank name', '  ', undefined, 'but is "  "'],
    ['space around a name, which nobody sees', 'shop ', undefined, 'must not be blank, start or end with space'],
    [
      'a control character',
      'sh\u001bop',
      undefined,
      'have control characters, or look like an id, but is "sh\\u001bop"',
    ],
    [
      'an id for a name, by which it could not be found',
      'b3a0c6c2-0000-4000-8000-00000000000f',
      undefined,
      'or look like an id',
    ],
  ])('refuse %s', async (_, name, id, message) => {
    const created = store.environments.create(name, id);
    await expect(created).rejects.toThrow(StoreError);
    await expect(created).rejects.toThrow(message);
  });
});

test.each(['nowhere', 'b3a0c6c2-0000-4000-8000-0000000000ff'])(
  'the unknown environment %s is not found',
  async (name) => {
    await expect(store.environments.find(name)).rejects.toThrow(NotFound);
    await expect(store.environments.find(name)).rejects.toThrow(`there is no environment "${name}"`);
    await expect(store.documents.version(name)).rejects.toThrow(NotFound);
  },
);

test('deleting an environment returns 100 ms after its last request', async () => {
  const { environment } = await store.environments.create('deleted');
  const steps: string[] = [];
  const elapse = async (ms: number) => void steps.push(`waits ${ms}`);
  const writer = database.open({ ...effects, elapse }, async (call, send) => {
    steps.push(call.name);
    return send();
  });
  await writer.environments.remove(environment);
  expect(steps.filter((step) => step.startsWith('waits'))).toEqual(['waits 100']);
  expect(steps.at(-1)).toBe('waits 100');
});
