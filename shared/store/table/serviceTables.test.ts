import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { database, useTables } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { keys } from './keys.ts';
import { readServiceTables, recordServiceTables } from './serviceTables.ts';

const effects = testEffects();
let calls: string[];

useTables();
beforeEach(() => {
  calls = [];
});

function open() {
  const { client, flags } = database.open(effects, ({ name }, send) => {
    calls.push(name);
    return send();
  }).tables;
  return { client, name: flags, effects };
}

test('the names of tables are recorded, and written again only if they differ', async () => {
  const table = open();
  expect(await readServiceTables(table)).toBeUndefined();
  await recordServiceTables(table, { connections: 'Data-Connections-1' });
  expect(await readServiceTables(table)).toEqual({ connections: 'Data-Connections-1' });
  calls = [];
  await recordServiceTables(table, { connections: 'Data-Connections-1' });
  expect(calls).toEqual(['GetItem']);
  await recordServiceTables(table, { connections: 'Data-Connections-2' });
  expect(await readServiceTables(table)).toEqual({ connections: 'Data-Connections-2' });
  const withUsage = { connections: 'Data-Connections-2', usage: 'Data-Usage-1' };
  await recordServiceTables(table, withUsage);
  expect(await readServiceTables(table)).toEqual(withUsage);
  await recordServiceTables(table, { connections: 'Data-Connections-2' });
  expect(await readServiceTables(table)).toEqual({ connections: 'Data-Connections-2' });
});

test.each(['', 'no', 'a table', 'x'.repeat(256)])('the text %j is no name of a table', async (text) => {
  const table = open();
  const Item = { ...keys.serviceTables(), connections: { S: text } };
  await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  expect(await readServiceTables(table)).toBeUndefined();
});
