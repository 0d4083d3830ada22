import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { createConnectionEnder } from './connectionEnder.ts';

let server: Server;
let endpoint: string;
/** Answers of the management API: status and AWS's error name; `silent` takes the request and says nothing. */
let answers: (readonly [status: number, error: string] | 'silent')[] = [];
let requests: string[] = [];
const before = { ...process.env };

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const answer = answers.shift() ?? [204, ''];
    if (answer === 'silent') return;
    const [status, error] = answer;
    response.writeHead(status, error ? { 'x-amzn-ErrorType': error } : {}).end(error ? '{"message":""}' : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/streaming`;
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'key' });
});
afterAll(() => {
  process.env = before;
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = [];
  requests = [];
});

const end = () => createConnectionEnder(endpoint, { ...systemEffects, pause: async () => {} }).end('L0SM9cOFvHcCIhw=');

test('a connection is closed; one that is gone already is no error', async () => {
  await end();
  answers = [[410, 'GoneException']];
  await end();
  expect(requests).toEqual(Array(2).fill('DELETE /streaming/@connections/L0SM9cOFvHcCIhw%3D'));
});

test('tries again while API Gateway is busy or fails, and gives up after some attempts', async () => {
  answers = [
    [429, 'LimitExceededException'],
    [500, 'InternalServerError'],
  ];
  await end();
  answers = Array(9).fill([429, 'LimitExceededException']);
  await expect(end()).rejects.toMatchObject({ name: 'LimitExceededException' });
  expect(requests).toHaveLength(3 + 4);
});

test('a refusal is an error at once', async () => {
  answers = [[403, 'ForbiddenException']];
  await expect(end()).rejects.toMatchObject({ name: 'ForbiddenException' });
  expect(requests).toHaveLength(1);
});

test('an API Gateway that stays silent is asked again', async () => {
  answers = ['silent'];
  await end();
  expect(requests.length).toBeGreaterThan(1);
}, 30_000);
