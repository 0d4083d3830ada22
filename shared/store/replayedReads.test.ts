import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemEffects } from '../runtime/effects.ts';
import { DocumentReader } from './documents.ts';
import { replayVersionReads } from './replayedReads.ts';
import type { Table } from './table.ts';
import { readVersion } from './version.ts';

let server: Server;
let table: Table;
/** The SDK's ids of the requests that came, one for each that it makes; and what is answered to each. */
let ids: string[] = [];
/** What was asked, as it came. */
let bodies: string[] = [];
let answer: (n: number) => number | 'hang' | { updatedAt: number };

beforeEach(async () => {
  ids = [];
  bodies = [];
  answer = (n) => ({ updatedAt: n });
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      bodies.push(body);
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
const read = async (random = 0, envId = 'env') =>
  (await readVersion({ ...table, effects: { ...systemEffects, random: () => random } }, envId)).updatedAt;
const distinct = () => new Set(ids).size;

describe('reads of a version', () => {
  test('go out each time, and are signed once for each of its copies', async () => {
    expect([await read(), await read(), await read(), await read(0.9), await read(0.9)]).toEqual([1, 2, 3, 4, 5]);
    expect([ids.length, distinct()]).toEqual([5, 2]);
  });

  test('ask the same each time, and are answered as by the SDK', async () => {
    await read();
    const asked = { ...JSON.parse(bodies[0] ?? ''), ConsistentRead: true };
    const replayed = await table.client.send(new GetItemCommand(asked));
    expect(replayed).toMatchObject({ Item: { updatedAt: { N: '2' } }, $metadata: { httpStatusCode: 200 } });
    expect([bodies[1], distinct()]).toEqual([bodies[0], 1]);
  });

  test('of a thousand environments are kept; those of more are signed anew', async () => {
    for (let n = 0; n < 1_000; n++) await read(0, `env-${n}`);
    expect([await read(0, 'env-0'), distinct()]).toEqual([1_001, 1_000]);
    await read(0, 'one more');
    await read(0, 'env-0');
    expect([ids.length, distinct()]).toEqual([1_003, 1_002]);
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
  await read();
  // The same item, but not surely the newest state of it.
  const { ConsistentRead: _, ...version } = JSON.parse(bodies[2] ?? '');
  await table.client.send(new GetItemCommand(version));
  expect([ids.length, distinct()]).toEqual([4, 4]);
});
