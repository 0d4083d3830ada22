import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../../dev/support/freePort.ts';
import { type FlagStore, openStore } from '../store.ts';
import { database, useTables } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { SdkClient } from './table.ts';

const effects = testEffects();
/** Accepts requests and never responds. */
const silent = createServer(() => {});
const clients: DynamoDBClient[] = [];

useTables();
beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  silent.closeAllConnections();
  silent.close();
});

function storeAt(port: number): FlagStore {
  const client = new SdkClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  });
  clients.push(client);
  return openStore({ client, flags: 'Flags' });
}

describe('a check of the table', () => {
  test('passes where the table answers, by one read that needs no item', async () => {
    const calls: unknown[] = [];
    const store = database.open(effects, (call, send) => {
      calls.push([call.name, call.input.TableName]);
      return send();
    });
    await expect(store.check(10_000)).resolves.toBeUndefined();
    expect(calls).toEqual([['GetItem', store.tables.flags]]);
  });

  test('fails where there is no such table', async () => {
    const store = openStore({ ...database.open(effects).tables, flags: 'Elsewhere' });
    await expect(store.check(10_000)).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  test('fails where nobody listens', async () => {
    await expect(storeAt(await freePort()).check(10_000)).rejects.toThrow('ECONNREFUSED');
  });

  test('gives up on a table that stays silent', async () => {
    const { port } = silent.address() as AddressInfo;
    await expect(storeAt(port).check(20)).rejects.toMatchObject({
      name: expect.stringMatching(/Abort|Timeout/),
    });
  });
});
