import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkTable } from './health.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables } from './testing/testTables.ts';

let database: TestTables;
/** Takes requests and never answers them. */
const silent = createServer(() => {});
const clients: DynamoDBClient[] = [];

beforeAll(async () => {
  database = await startTestTables();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  silent.closeAllConnections();
  silent.close();
  await database.close();
});

function tablesAt(port: number): Tables {
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  });
  clients.push(client);
  return { client, flags: 'Flags', connections: 'Connections' };
}

describe('a check of the table', () => {
  test('passes where the table answers, by one read that needs no item', async () => {
    const calls: unknown[] = [];
    const tables = database.open((call, send) => {
      calls.push([call.name, call.input.TableName]);
      return send();
    });
    await expect(checkTable(tables, 10_000)).resolves.toBeUndefined();
    expect(calls).toEqual([['GetItem', tables.flags]]);
  });

  test('fails where there is no such table', async () => {
    const tables = { ...database.open(), flags: 'Elsewhere' };
    await expect(checkTable(tables, 10_000)).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  test('fails where nobody listens', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    await expect(checkTable(tablesAt(port), 10_000)).rejects.toThrow('ECONNREFUSED');
  });

  test('gives up on a table that stays silent', async () => {
    const { port } = silent.address() as AddressInfo;
    await expect(checkTable(tablesAt(port), 20)).rejects.toMatchObject({
      name: expect.stringMatching(/Abort|Timeout/),
    });
  });
});
