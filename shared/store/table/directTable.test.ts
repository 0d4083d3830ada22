import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../runtime/effects.ts';
import { type ReceivedRequest, useFakeApi } from '../../testing/fakeApi.ts';
import { DirectTable } from './directTable.ts';

const KEY = { pk: { S: 'p' }, sk: { S: 's' } };
const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Flags';

let received: ReceivedRequest[] = [];
/** How the service answers the requests to come; afterwards with an item. */
let answers: ((response: ServerResponse) => void)[] = [];

const answer = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
const failure = (status: number, name: string, message = name) =>
  answer(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message });
const closed = (response: ServerResponse) => response.destroy();
const silence = () => {};

const api = useFakeApi((request, response) => {
  received.push(request);
  (answers.shift() ?? answer(200, { Item: { ...KEY, B: { S: 'x' }, bytes: { B: 'AQI=' } } }))(response);
});

beforeEach(() => {
  [received, answers] = [[], []];
});

function aTable(now = Date.now): DirectTable {
  const keys = async () => ({ accessKeyId: 'A', secretAccessKey: 'secret' });
  const target = { service: 'dynamodb', endpoint: api.endpoint, region: 'eu-west-1', keys, idleSockets: 1 };
  return new DirectTable(ARN, target, 500, { ...systemEffects, now });
}

const read = (table = aTable()) => table.getItem({ TableName: 'Flags', Key: KEY });
const sockets = () => new Set(received.map(({ socket }) => socket)).size;

test('reads an item with its bytes, and names the table by its ARN', async () => {
  expect(await read()).toEqual({ Item: { ...KEY, B: { S: 'x' }, bytes: { B: new Uint8Array([1, 2]) } } });
  const [{ headers, body }] = received as [ReceivedRequest];
  expect([headers['x-amz-target'], JSON.parse(body)]).toEqual([
    'DynamoDB_20120810.GetItem',
    { TableName: ARN, Key: KEY },
  ]);
});

test('keeps one connection open', async () => {
  const table = aTable();
  await Promise.all([read(table), read(table)]);
  await read(table);
  expect(sockets()).toBe(2);
});

describe('a read without an answer', () => {
  test.each([
    ['a closed connection', closed],
    ['no answer in time', silence],
    [
      'half an answer',
      (response) => response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
    ],
  ] satisfies [string, (response: ServerResponse) => void][])('is sent again at once after %s', async (_, first) => {
    answers = [first];
    expect(await read()).toMatchObject({ Item: KEY });
    expect([received.length, sockets()]).toEqual([2, 2]);
  });

  test('fails after its second attempt', async () => {
    answers = [closed, closed];
    await expect(read()).rejects.toThrow('socket hang up');
  });

  test('leaves the other connections of a frozen process, which are closed too', async () => {
    const table = aTable();
    await Promise.all([read(table), read(table)]);
    answers = [closed];
    await read(table);
    await read(table);
    expect([received.length, sockets()]).toEqual([5, 3]);
  });
});

test('an update is not sent again, because it may have had an effect', async () => {
  answers = [closed];
  await expect(aTable().updateItem({ TableName: 'Flags', Key: KEY })).rejects.toThrow('socket hang up');
  expect(received).toHaveLength(1);
});

test('an update has a new connection if the last use was more than a second ago', async () => {
  let now = 0;
  const table = aTable(() => now);
  const update = () => table.updateItem({ TableName: 'Flags', Key: KEY });
  await update();
  now += 1_000;
  await update();
  expect(sockets()).toBe(1);
  now += 1_001;
  await update();
  await update();
  expect(sockets()).toBe(2);
});

test.each([
  [400, 'ProvisionedThroughputExceededException', true],
  [400, 'ThrottlingException', true],
  [500, 'InternalServerError', true],
  [400, 'AccessDeniedException', false],
  [400, 'ResourceNotFoundException', false],
])('an error %i %s has AWS’s name and is not repeated; temporary: %p', async (status, name, isTemporary) => {
  answers = [failure(status, name, 'why')];
  await expect(read()).rejects.toMatchObject({ name, message: 'why', isTemporary });
  expect(received).toHaveLength(1);
});

test('an error without AWS’s form names the status', async () => {
  answers = [answer(502, '<html>')];
  await expect(read()).rejects.toMatchObject({ message: 'DynamoDB answered with status 502', isTemporary: true });
});

test.each([
  ['expired', 'Signature expired: 20261129T110000Z is now earlier than 20261129T115500Z (20261129T120000Z - 5 min.)'],
  [
    'early',
    'Signature not yet current: 20261129T130000Z is still later than 20261129T120500Z (20261129T120000Z + 5 min.)',
  ],
])('a clock that makes signatures %s is corrected by the time in the error', async (_, message) => {
  const table = aTable(() => Date.UTC(2026, 10, 29, 11));
  answers = [failure(400, 'InvalidSignatureException', message)];
  await read(table);
  await read(table);
  expect(received.map(({ headers }) => headers['x-amz-date'])).toEqual([
    '20261129T110000Z',
    '20261129T120000Z',
    '20261129T120000Z',
  ]);
});
