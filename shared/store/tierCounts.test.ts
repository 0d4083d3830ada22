import { beforeEach, expect, test } from '@jest/globals';
import { HOST_LEASE_MS, HostReports } from './connections/hostReports.ts';
import { connect } from './testing/connect.ts';
import { store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';
import { countTiers } from './tiers.ts';

const effects = testEffects();
useStore(effects);

let envIds: string[];
let listed: Awaited<ReturnType<typeof store.environments.list>>;
beforeEach(async () => {
  envIds = [effects.uuid(), effects.uuid()];
  listed = envIds.map((id) => ({ id, name: id, isProduction: false }));
  for (const [n, envId] of envIds.entries()) {
    for (let each = 0; each < 3; each++) {
      const registration = { id: `c${n}-${each}`, type: 'server', requestedAt: effects.now() } as const;
      await connect(store.connections, envId, registration, 7);
    }
  }
});

const count = (most = 100) =>
  countTiers({ environments: { list: async () => listed }, hosts: store.hosts }, store.connections, most);
const report = (envId: string, id: string, open: number) =>
  new HostReports(store.connections.table).write(
    envId,
    { id, owner: 'o' },
    { open, servedTo: 0, served: 0, newest: 0, behind: 0, rounds: [] },
    true,
  );

test('connections of all environments are counted, where they are', async () => {
  expect(await count()).toEqual({ gateway: 6, host: 0 });
  const [first = '', second = ''] = envIds;
  await report(first, 'a', 5);
  await report(second, 'a', 7);
  await report(second, 'b', 1);
  expect(await count()).toEqual({ gateway: 6, host: 13 });
});

test('connections of a host whose lease has ended are not counted', async () => {
  await report(envIds[0] ?? '', 'a', 5);
  effects.clock.now += HOST_LEASE_MS;
  expect(await count()).toEqual({ gateway: 6, host: 0 });
});

test('counting of API Gateway stops at the maximum', async () => {
  expect((await count(3)).gateway).toBe(3);
});

test('the number on hosts is unknown while a host cannot report it', async () => {
  await store.hosts.write({ id: 'a', owner: 'o' });
  expect(await count()).toEqual({ gateway: 6, host: undefined });
  await store.hosts.remove({ id: 'a', owner: 'o' });
});
