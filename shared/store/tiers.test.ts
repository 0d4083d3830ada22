import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Tier } from '../tier/tier.ts';
import type { Item } from './table/attributes.ts';
import { tierKey } from './table/keys.ts';
import { deleteItem } from './table/write.ts';
import { store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';
import { Tiers } from './tiers.ts';

const effects = testEffects();
useStore(effects);

const NEVER = { changedAt: 0, crowdedSince: undefined, quietSince: undefined };
const FIRST: Tier = { ...NEVER, mode: 'auto', by: 'deployment', wanted: 'host', revision: 1 };
const table = () => ({ client: store.tables.client, name: store.tables.flags, effects });
const put = (item: Item) =>
  table().client.send(new PutItemCommand({ TableName: table().name, Item: { ...tierKey, ...item } }));

beforeEach(async () => {
  await deleteItem(table(), tierKey);
});

describe('the stored tier', () => {
  test('is read as it was written', async () => {
    expect(await store.tiers.read()).toBeUndefined();
    const tiers: Tier[] = [
      FIRST,
      { ...FIRST, revision: 2, quietSince: 17, hinted: 'gateway' },
      {
        ...FIRST,
        revision: 3,
        crowdedSince: 18,
        wanted: 'gateway',
        changedAt: 19,
        mode: 'gateway',
      },
    ];
    for (const tier of tiers) {
      expect(await store.tiers.write(tier)).toBe(true);
      expect(await store.tiers.read()).toEqual(tier);
    }
  });

  test('is not overwritten by a writer that read an earlier one', async () => {
    expect(await store.tiers.write(FIRST)).toBe(true);
    expect(await store.tiers.write({ ...FIRST, by: 'late' })).toBe(false);
    expect(await store.tiers.write({ ...FIRST, revision: 2 })).toBe(true);
    expect(await store.tiers.write({ ...FIRST, revision: 2, by: 'late' })).toBe(false);
    expect(await store.tiers.read()).toEqual({ ...FIRST, revision: 2 });
  });

  test.each<[string, Item]>([
    ['without attributes', {}],
    ['of texts', { mode: { S: 'x' }, wanted: { S: 'x' }, changedAt: { S: 'x' }, revision: { S: 'x' } }],
  ])('that is damaged (%s) has defaults, and is replaced', async (_, item) => {
    await put(item);
    const tier = await store.tiers.read();
    expect(tier).toEqual({ ...FIRST, by: '', revision: 0 });
    expect(await store.tiers.write({ ...FIRST, revision: 1 })).toBe(true);
  });

  test('gets its mode and the author from an operator, and keeps the rest', async () => {
    const tiers = new Tiers({
      ...table(),
      author: async () => ({ by: 'ann@laptop', command: 'tier host', keepDays: 1 }),
    });
    expect(await tiers.setMode('host')).toBeUndefined();
    await store.tiers.write(FIRST);
    expect(await tiers.setMode('host')).toEqual({ ...FIRST, mode: 'host', by: 'ann@laptop', revision: 2 });
    expect(await store.tiers.read()).toMatchObject({ mode: 'host', revision: 2 });
  });

  test('gets its mode although the service writes it meanwhile', async () => {
    await store.tiers.write(FIRST);
    const tiers = new Tiers(table());
    const read = tiers.read.bind(tiers);
    let isFirst = true;
    tiers.read = async () => {
      const tier = await read();
      if (isFirst) await store.tiers.write({ ...FIRST, wanted: 'gateway', revision: 2 });
      isFirst = false;
      return tier;
    };
    expect(await tiers.setMode('host')).toMatchObject({ mode: 'host', wanted: 'gateway', revision: 3 });
  });
});
