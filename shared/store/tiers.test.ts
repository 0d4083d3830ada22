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

const FIRST: Tier = { wanted: 'host', by: 'deployment', changedAt: 0, revision: 1 };
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
      { ...FIRST, revision: 2, hinted: 'gateway' },
      { ...FIRST, revision: 3, wanted: 'gateway', changedAt: 19 },
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
    ['of texts', { hinted: { S: 'x' }, wanted: { S: 'x' }, changedAt: { S: 'x' }, revision: { S: 'x' } }],
  ])('that is damaged (%s) has defaults, and is replaced', async (_, item) => {
    await put(item);
    const tier = await store.tiers.read();
    expect(tier).toEqual({ ...FIRST, by: '', revision: 0 });
    expect(await store.tiers.write({ ...FIRST, revision: 1 })).toBe(true);
  });

  test('is what an operator wants, with the author and the time, and keeps the rest', async () => {
    const tiers = new Tiers({
      ...table(),
      author: async () => ({ by: 'ann@laptop', command: 'tier gateway', keepDays: 1 }),
    });
    expect(await tiers.setWanted('gateway')).toBeUndefined();
    await store.tiers.write({ ...FIRST, hinted: 'host' });
    const { now } = effects.clock;
    const set: Tier = { wanted: 'gateway', by: 'ann@laptop', changedAt: now, hinted: 'host', revision: 2 };
    expect(await tiers.setWanted('gateway')).toEqual(set);
    expect(await store.tiers.read()).toEqual(set);
  });

  test('is set although the service writes it meanwhile', async () => {
    await store.tiers.write(FIRST);
    const tiers = new Tiers(table());
    const read = tiers.read.bind(tiers);
    let isFirst = true;
    tiers.read = async () => {
      const tier = await read();
      if (isFirst) await store.tiers.write({ ...FIRST, hinted: 'host', revision: 2 });
      isFirst = false;
      return tier;
    };
    expect(await tiers.setWanted('gateway')).toMatchObject({ wanted: 'gateway', hinted: 'host', revision: 3 });
  });
});
