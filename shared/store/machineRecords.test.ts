import { expect, test } from '@jest/globals';
import type { HealthRecord } from '../tier/machineHealth.ts';
import { store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

const effects = testEffects();
useStore(effects);

test('a heartbeat differs from the one before', async () => {
  expect(await store.machine.heartbeat()).toBeUndefined();
  await store.machine.beat();
  const first = await store.machine.heartbeat();
  effects.clock.now += 1;
  await store.machine.beat();
  expect(await store.machine.heartbeat()).not.toBe(first);
});

test('the health is read as it was written', async () => {
  expect(await store.machine.read()).toBeUndefined();
  const records: HealthRecord[] = [
    { health: { kind: 'healthy' }, heartbeat: undefined, heardAt: 17 },
    { health: { kind: 'recovering', since: 18 }, heartbeat: 16, heardAt: 18 },
    { health: { kind: 'unhealthy', reason: 'no heartbeat' }, heartbeat: 16, heardAt: 19 },
  ];
  for (const record of records) {
    await store.machine.write(record);
    expect(await store.machine.read()).toEqual(record);
  }
});
