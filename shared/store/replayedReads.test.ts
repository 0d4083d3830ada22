import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DocumentReader } from './documents.ts';
import { systemEffects } from './effects.ts';
import { replayVersionReads } from './replayedReads.ts';
import type { Table } from './table.ts';
import { readVersion } from './version.ts';

let server: Server;
let table: Table;
/** The SDK's ids of the requests that came, one for each that it makes; and what is answered to each. */
let ids: string[] = [];
let answer: (n: number) => number | 'hang' | { updatedAt: number };

beforeEach(async () => {
  ids = [];
  answer = (n) => ({ updatedAt: n });
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const what = answer(ids.push(String(request.headers['amz-sdk-invocation-id'])));
      if (what === 'hang') return;
      if (typeof what === 'number') response.writeHead(what).end('{"__type":"InternalServerError"}');
      else response.end(JSON.stringify({ Item: { updatedAt: { N: String(what.updatedAt) } } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  replayVersionReads(client);
  table = { client, name: 'Flags', effects: systemEffects };
});
afterEach(() => {
  table.client.destroy();
  server.close();
  server.closeAllConnections();
});

/** @param random decides which copy of the version is read */
const read = async (random = 0) =>
  (await readVersion({ ...table, effects: { ...systemEffects, random: () => random } }, 'env')).updatedAt;
const distinct = () => new Set(ids).size;

describe('reads of a version', () => {
  test('go out each time, and are signed once for each of its copies', async () => {
    expect([await read(), await read(), await read(), await read(0.9), await read(0.9)]).toEqual([1, 2, 3, 4, 5]);
    expect([ids.length, distinct()]).toEqual([5, 2]);
  });

  test('are signed anew after a minute', async () => {
    await read();
    const now = jest.spyOn(performance, 'now');
    const later = performance.now() + 61_000;
    now.mockImplementation(() => later);
    try {
      await read();
      expect(distinct()).toBe(2);
    } finally {
      now.mockRestore();
    }
  });

  test.each([500, 400, 'hang'] as const)('that are answered with %s are tried again by the SDK', async (bad) => {
    await read();
    answer = (n) => (n === 2 ? bad : { updatedAt: n });
    expect(await read()).toBe(3);
  });

  test('whose connection was closed meanwhile are tried again by the SDK', async () => {
    await read();
    await read();
    server.closeAllConnections();
    expect(await read()).toBeGreaterThan(2);
  });
});

test('other reads are the SDK’s as ever', async () => {
  await new DocumentReader(table).find('env', 'flag', 'f').catch(() => {});
  await new DocumentReader(table).find('env', 'flag', 'f').catch(() => {});
  expect([ids.length, distinct()]).toEqual([2, 2]);
});
