import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { database, useTables } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { keys } from './keys.ts';
import { readItem } from './read.ts';
import { readServiceVersion, recordServiceVersion } from './serviceVersion.ts';

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

test('a table without a service has no version', async () => {
  expect(await readServiceVersion(open())).toBeUndefined();
});

test('the version is recorded with the time, and written again only if it differs', async () => {
  const table = open();
  await recordServiceVersion(table, '1.2.3');
  expect(await readItem(table, keys.service())).toEqual({
    ...keys.service(),
    version: { S: '1.2.3' },
    at: { S: '2024-01-01T00:00:00.000Z' },
  });
  calls = [];
  await recordServiceVersion(table, '1.2.3');
  expect(calls).toEqual(['GetItem']);
  await recordServiceVersion(table, '1.3.0-beta.1');
  expect(await readServiceVersion(table)).toBe('1.3.0-beta.1');
});

test.each(['', '1.2', '1.2.3 && curl evil', '1.2.3\u001b[2J', `1.2.3-${'x'.repeat(100)}`])(
  'the text %j is not a version',
  async (text) => {
    const table = open();
    const Item = { ...keys.service(), version: { S: text } };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
    expect(await readServiceVersion(table)).toBeUndefined();
  },
);

test('a read ends with its signal', async () => {
  await expect(readServiceVersion(open(), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});
