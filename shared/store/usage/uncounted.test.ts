import { expect, test } from '@jest/globals';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { recordServiceTables } from '../table/serviceTables.ts';
import { database, useTables } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { readUncounted, recordUncounted } from './uncounted.ts';

useTables();

test('functions of all stacks are listed by environment, and those that a stack recorded before are replaced', async () => {
  const effects = testEffects();
  const { client, flags: name } = database.open(effects).tables;
  const table = { client, name, effects };
  expect(await readUncounted(table, 'e')).toEqual([]);
  await recordServiceTables(table, { connections: 'Connections' });
  await recordUncounted(table, 'arn:one', { e: ['Shop/Mail', 'Shop/Cart'], f: ['Shop/Other'] });
  await recordUncounted(table, 'arn:two', { e: ['Blog/Page', 'Shop/Mail'] });
  expect(await readUncounted(table, 'e')).toEqual(['Blog/Page', 'Shop/Cart', 'Shop/Mail']);
  expect(await readUncounted(table, 'f')).toEqual(['Shop/Other']);
  await recordUncounted(table, 'arn:one', {});
  expect(await readUncounted(table, 'e')).toEqual(['Blog/Page', 'Shop/Mail']);
  // A deleted stack leaves nothing.
  const seconds = { N: String(Math.floor(effects.now() / 1_000)) };
  expect((await readItem(table, keys.uncounted('arn:one')))?.['expiresAt']).toEqual(seconds);
  expect((await readItem(table, keys.uncounted('arn:two')))?.['expiresAt']).toBeUndefined();
});
