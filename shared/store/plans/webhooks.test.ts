import { beforeEach, expect, test } from '@jest/globals';
import { keys } from '../table/keys.ts';
import { putItem } from '../table/write.ts';
import { newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { readWebhookSecrets } from './webhooks.ts';

const effects = testEffects();

useStore(effects);

let envId: string;
beforeEach(async () => {
  envId = await newEnvironment();
});

const read = () => readWebhookSecrets({ client: store.tables.client, name: store.tables.flags, effects }, envId);

test('each plan has a secret of 32 bytes, which stays the same', async () => {
  expect(await read()).toBeUndefined();
  const [one, other] = await Promise.all([store.plans.webhookSecrets(envId), store.plans.webhookSecrets(envId)]);
  expect(Buffer.from(one('p-1'), 'base64url')).toHaveLength(32);
  expect(one('p-2')).not.toBe(one('p-1'));
  expect(other('p-1')).toBe(one('p-1'));
  expect((await read())?.('p-1')).toBe(one('p-1'));
  const elsewhere = await store.plans.webhookSecrets(await newEnvironment());
  expect(elsewhere('p-1')).not.toBe(one('p-1'));
});

test('an item without a key gives no secrets, and none is made up for it', async () => {
  const { client, flags: name } = store.tables;
  for (const values of [{}, { hookKey: '' }]) {
    await putItem({ client, name, effects }, keys.hook(envId), values);
    expect(await read()).toBeUndefined();
  }
});

test('a deleted environment keeps no key', async () => {
  await store.plans.webhookSecrets(envId);
  await store.environments.remove(await store.environments.find(envId));
  expect(await read()).toBeUndefined();
});
