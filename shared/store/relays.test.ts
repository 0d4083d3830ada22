import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { SCOPE_LIMIT } from './environments/issueRelays.ts';
import { SecretCache } from './environments/secretCache.ts';
import { NotFound, StoreError } from './table/errors.ts';
import { secretIdOf } from './table/keys.ts';
import { store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

const effects = testEffects();

useStore(effects);

const anEnvironment = async () => (await store.environments.create(`env ${effects.uuid()}`)).environment;
const find = (key: string) => new SecretCache({ secrets: store.relays, effects }).find(key);
const findSecret = (value: string) => new SecretCache(store).find(value);

/** A relay with two environments. */
async function aRelay() {
  const environments = [await anEnvironment(), await anEnvironment()] as const;
  const issued = await store.relays.create('agents', [environments[0].id, environments[1].name]);
  const values = issued.record.environments.flatMap(({ secrets }) => secrets.map(({ value }) => value));
  return { ...issued, environments, values };
}

describe('a relay', () => {
  test('has a key for its environments, and a secret of each type in each of them', async () => {
    const { record, key, environments, values } = await aRelay();
    expect(key).toMatch(/^rp-[\w-]{44}$/);
    expect(record.id).toBe(secretIdOf(key));
    const grant = await find(key);
    expect(grant?.envIds).toEqual(environments.map(({ id }) => id));
    expect(grant?.secrets.map(({ type, projectKey, envKey, value }) => [type, projectKey, envKey, value])).toEqual([
      ['client', 'flagwire', environments[0].name, values[0]],
      ['server', 'flagwire', environments[0].name, values[1]],
      ['client', 'flagwire', environments[1].name, values[2]],
      ['server', 'flagwire', environments[1].name, values[3]],
    ]);
    expect(await findSecret(values[3] ?? '')).toEqual({ envId: environments[1].id, type: 'server' });
    expect(await store.relays.find(record.id)).toEqual(grant);
  });

  test('is not found by another key', async () => {
    const { key } = await aRelay();
    expect(await find(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
    expect(await find('')).toBeUndefined();
  });

  test('opens nothing after it was revoked, nor do its secrets; all others do', async () => {
    const { record, key, environments, values } = await aRelay();
    const own = await store.secrets.create(environments[0].id, 'own', 'client');
    await store.relays.revoke(record.id);
    expect(await find(key)).toBeUndefined();
    expect(await store.relays.find(record.id)).toBeUndefined();
    for (const value of values) expect(await findSecret(value)).toBeUndefined();
    expect(await findSecret(own.value)).toBeDefined();
    const { revokedAt } = await store.relays.revoke(record.id);
    expect(revokedAt).toBe(new Date(effects.now()).toISOString());
    expect((await store.relays.list()).find(({ id }) => id === record.id)?.revokedAt).toBe(revokedAt);
  });

  test('has secrets that end with it alone', async () => {
    const { record, environments } = await aRelay();
    const { secrets } = await store.environments.find(environments[0].id);
    const [first] = secrets.filter(({ relay }) => relay === record.id);
    const [env, id] = [environments[0].id, first?.id ?? ''];
    for (const change of [() => store.secrets.revoke(env, id), () => store.secrets.rotate(env, id, 0)]) {
      await expect(change()).rejects.toThrow(`relay revoke ${record.id}`);
    }
  });

  test('outlives an environment that is deleted, and can be revoked after it', async () => {
    const { record, key, environments, values } = await aRelay();
    await store.environments.remove(await store.environments.find(environments[0].id));
    expect(await findSecret(values[0] ?? '')).toBeUndefined();
    expect((await find(key))?.envIds).toHaveLength(2);
    await store.relays.revoke(record.id);
    expect(await findSecret(values[2] ?? '')).toBeUndefined();
    await expect(store.environments.find(environments[0].id)).rejects.toThrow(NotFound);
  });

  test('has at most as many environments as fit a transaction, each counted once', async () => {
    const environments = [];
    for (let n = 0; n < SCOPE_LIMIT; n++) environments.push((await anEnvironment()).id);
    const { record } = await store.relays.create('all', environments);
    expect(record.environments).toHaveLength(SCOPE_LIMIT);
    await store.relays.revoke(record.id);
    const [first = ''] = environments;
    expect((await store.relays.create('twice', [first, first])).record.environments).toHaveLength(1);
    const tooMany = store.relays.create('more', [...environments, first]);
    await expect(tooMany).rejects.toThrow('a relay has 1 to 20 environments, not 21');
  });

  test('is not made without environments, of unknown ones, or without a name', async () => {
    await expect(store.relays.create('none', [])).rejects.toThrow(StoreError);
    await expect(store.relays.create('unknown', ['nowhere'])).rejects.toThrow(NotFound);
    await expect(store.relays.create(' ', [(await anEnvironment()).id])).rejects.toThrow('must not be blank');
    await expect(store.relays.revoke('nobody')).rejects.toThrow('`relay list`');
  });

  test('leaves no key in the table, and secrets in its own item only', async () => {
    const { key, values } = await aRelay();
    const { client, flags } = store.tables;
    const { Items = [] } = await client.send(new ScanCommand({ TableName: flags, ConsistentRead: true }));
    expect(JSON.stringify(Items)).not.toContain(key);
    const others = JSON.stringify(Items.filter(({ pk }) => pk?.S !== 'RELAYS'));
    for (const value of values) expect(others).not.toContain(value);
  });
});
