import { expect, test } from '@jest/globals';
import { keys } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { putItem } from '../table/write.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { removeSnapshots } from './snapshotWriter.ts';

const effects = testEffects();
useStore(effects);

test('a removal deletes what it has read if a later page fails', async () => {
  const table = { client: store.tables.client, name: store.tables.flags, effects };
  const chunk = (n: number) => keys.snapshotChunk('env', 0, 0, n);
  for (const n of [0, 1]) await putItem(table, chunk(n), { version: 1 });
  let queries = 0;
  const { tables } = database.open(effects, async ({ name, input }, send) => {
    if (name === 'Query' && ++queries > 1) throw new Error('the table is down');
    if (name === 'Query') input.Limit = 1;
    return send();
  });
  await expect(removeSnapshots({ ...table, client: tables.client }, 'env')).rejects.toThrow('the table is down');
  const left = async () => (await readItems(table, chunk(0).pk)).map(({ sk }) => sk);
  expect(await left()).toEqual([chunk(1).sk]);
  await removeSnapshots(table, 'env');
  expect(await left()).toEqual([]);
});
