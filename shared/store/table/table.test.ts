import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDynamoDb } from './table.ts';

/** A table that does not respond until the third request. */
let server: Server;
let requests: number;
const variables = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
const before = { ...process.env };

beforeAll(async () => {
  requests = 0;
  server = createServer((request, response) => {
    request.resume();
    if (++requests < 3) return;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end('{"Item":{"pk":{"S":"there"}}}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, variables, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
});

afterAll(() => {
  process.env = before;
  server.closeAllConnections();
  server.close();
});

test('a table that stays silent is given up on, and asked again', async () => {
  const client = createDynamoDb({ silenceMs: 500 });
  const { Item } = await client.send(new GetItemCommand({ TableName: 'Flags', Key: { pk: { S: 'x' } } }));
  expect(Item).toEqual({ pk: { S: 'there' } });
  expect(requests).toBe(3);
  client.destroy();
});

test('a table is asked where the caller says, in place of the environment', async () => {
  const client = createDynamoDb({ endpoint: 'http://127.0.0.1:1' });
  expect((await client.config.endpoint?.())?.port).toBe(1);
  client.destroy();
});

test('no request is copied for a logger that is not there', () => {
  const client = createDynamoDb();
  expect(client.middlewareStack.identify().filter((name) => name.startsWith('loggerMiddleware'))).toEqual([]);
  client.destroy();
});
