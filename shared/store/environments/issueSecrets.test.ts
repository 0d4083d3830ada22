import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { Conflict, NotFound } from '../table/errors.ts';
import { store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import type { Environment } from './environment.ts';
import { SecretCache } from './secretCache.ts';
import type { IssuedSecret } from './secrets.ts';

const effects = testEffects();

useStore(effects);

async function anEnvironment(): Promise<{ environment: Environment; server: IssuedSecret; client: IssuedSecret }> {
  const { environment, secrets } = await store.environments.create(`env ${effects.uuid()}`);
  const [server, client] = secrets as [IssuedSecret, IssuedSecret];
  return { environment, server, client };
}

const find = (secret: IssuedSecret) => new SecretCache(store).find(secret.value);

describe('a secret', () => {
  test('can be added, and opens its environment for its type only', async () => {
    const { environment } = await anEnvironment();
    const added = await store.secrets.create(environment.name, 'Mobile', 'client');
    expect(await find(added)).toEqual({ envId: environment.id, type: 'client' });
    const { secrets, revision } = await store.environments.find(environment.id);
    expect(secrets.map(({ name }) => name)).toEqual(['Server Key', 'Client Key', 'Mobile']);
    expect(revision).toBe(2);
  });

  test('works until the end of the grace period after a rotation, next to its successor', async () => {
    const { environment, server } = await anEnvironment();
    const next = await store.secrets.rotate(environment.id, server.record.id, 60_000);
    expect(next.record).toMatchObject({ name: 'Server Key', type: 'server' });
    expect(next.value).not.toBe(server.value);
    for (const secret of [server, next]) expect(await find(secret)).toMatchObject({ type: 'server' });
    effects.clock.now += 60_000;
    expect(await find(server)).toBeUndefined();
    expect(await find(next)).toMatchObject({ envId: environment.id });
  });

  test('opens nothing after it was revoked, unlike the others', async () => {
    const { environment, server, client } = await anEnvironment();
    const record = await store.secrets.revoke(environment.id, client.record.id);
    expect(record.revokedAt).toBe(new Date(effects.now()).toISOString());
    expect(await find(client)).toBeUndefined();
    expect(await store.secrets.lookUp(client.value)).toMatchObject({ revokedAt: effects.now() });
    expect(await find(server)).toMatchObject({ type: 'server' });
  });

  test('ends as soon after another rotation or revocation', async () => {
    const { environment, server } = await anEnvironment();
    await store.secrets.rotate(environment.id, server.record.id, 1_000);
    await store.secrets.rotate(environment.id, server.record.id, 60_000);
    effects.clock.now += 1_000;
    expect(await find(server)).toBeUndefined();
    const record = await store.secrets.revoke(environment.id, server.record.id);
    expect(record.revokedAt).toBe(new Date(effects.now()).toISOString());
  });

  test('is not found in another environment or in none', async () => {
    const { environment } = await anEnvironment();
    const other = await anEnvironment();
    const revoke = store.secrets.revoke(environment.id, other.client.record.id);
    await expect(revoke).rejects.toThrow(NotFound);
    await expect(store.secrets.rotate('nowhere', 'id', 0)).rejects.toThrow(NotFound);
    expect(await find(other.client)).toMatchObject({ type: 'client' });
  });

  test('can be named instead of its id, which finds the one without an end', async () => {
    const { environment, client, server } = await anEnvironment();
    const next = await store.secrets.rotate(environment.id, 'Client Key', 60_000);
    expect((await store.secrets.revoke(environment.id, 'Client Key')).id).toBe(next.record.id);
    expect(await find(client)).toMatchObject({ type: 'client' });
    expect(await find(server)).toMatchObject({ type: 'server' });
  });

  test('is asked for by its id where several of its name go on, or none does', async () => {
    const { environment } = await anEnvironment();
    const twins = await Promise.all([1, 2].map(() => store.secrets.create(environment.id, 'Twin', 'client')));
    const ids = twins.map(({ record }) => record.id);
    const revoke = (idOrName: string) => store.secrets.revoke(environment.id, idOrName);
    await expect(revoke('Twin')).rejects.toThrow(Conflict);
    await expect(revoke('Twin')).rejects.toThrow(
      `several SDK keys of environment "${environment.name}" are named "Twin"`,
    );
    for (const id of ids) await expect(revoke('Twin')).rejects.toThrow(id);
    expect((await revoke(ids[0] as string)).id).toBe(ids[0]);
    expect((await revoke('Twin')).id).toBe(ids[1]);
    await expect(revoke('Twin')).rejects.toThrow(Conflict);
  });

  test('is an error that names it and `secret list` if it does not exist', async () => {
    const { environment } = await anEnvironment();
    const why = `environment "${environment.name}" has no SDK key "No Key"; \`secret list\` shows its keys`;
    await expect(store.secrets.revoke(environment.id, 'No Key')).rejects.toThrow(why);
  });

  test('is not lost where several operators add one at the same time', async () => {
    const { environment } = await anEnvironment();
    const added = await Promise.all(
      Array.from({ length: 6 }, (_, n) => store.secrets.create(environment.id, `key-${n}`, 'client')),
    );
    const { secrets, revision } = await store.environments.find(environment.id);
    expect(secrets).toHaveLength(8);
    expect(revision).toBe(7);
    for (const secret of added) expect(await find(secret)).toMatchObject({ envId: environment.id });
  });
});

test('is in the table only by its hash and its first four characters', async () => {
  const { environment, server, client } = await anEnvironment();
  const issued = [server, client, await store.secrets.rotate(environment.id, client.record.id, 1_000)];
  const { Items = [] } = await store.tables.client.send(new ScanCommand({ TableName: store.tables.flags }));
  const everything = JSON.stringify(Items);
  expect(everything).toContain(environment.id);
  for (const { value, record } of issued) {
    expect(everything).toContain(record.hash);
    expect(record.hint).toBe(value.slice(0, 4));
    for (let at = 0; at + 12 <= 22; at++) expect(everything).not.toContain(value.slice(at, at + 12));
    expect(everything).not.toContain(Buffer.from(value).toString('base64'));
  }
});
