import type { ServerResponse } from 'node:http';
import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../runtime/effects.ts';
import { type ReceivedRequest, useFakeApi } from '../../testing/fakeApi.ts';
import { readItemsDirectly } from './directReads.ts';
import { pagesUnder } from './read.ts';
import { SdkClient } from './table.ts';

const ITEM = {
  pk: { S: 'é💥' },
  n: { N: '1764075600000.00000000000000001' },
  list: { L: [{ BOOL: true }, { NULL: true }] },
};

let received: ReceivedRequest[] = [];
/** How the service answers the requests to come; afterwards with the item. */
let answers: ((response: ServerResponse) => void)[] = [];
let client: SdkClient;
let endpoint: string;
let accessKeyId: string;
/** What the service's clock is ahead. */
let aheadMs = 0;

const answer = (status: number, body: object) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
const failure = (status: number, name: string) => answer(status, { __type: `com.amazonaws#${name}`, message: name });
const silence = () => {};

const api = useFakeApi((request, response) => {
  received.push(request);
  response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
  (answers.shift() ?? answer(200, { Item: ITEM }))(response);
});

beforeEach(() => {
  [received, answers, accessKeyId, aheadMs] = [[], [], 'A', 0];
  endpoint = api.endpoint;
  client = createClient();
});
afterEach(() => client.destroy());

/** A client that reads directly, with credentials that have always expired. */
function createClient(): SdkClient {
  const created = new SdkClient({
    endpoint: async () => ({ url: new URL(endpoint) }),
    region: 'eu-west-1',
    maxAttempts: 2,
    credentials: async () => ({ accessKeyId, secretAccessKey: 'secret', expiration: new Date(0) }),
  });
  readItemsDirectly(created, 500, systemEffects);
  return created;
}

const READ = { TableName: 't', Key: { pk: { S: 'é💥' } }, ConsistentRead: true };
const read = () => client.getItem(READ);
/** Who sent the requests: the SDK names itself. */
const senders = () => received.map(({ headers }) => (headers['x-amz-user-agent'] ? 'SDK' : 'direct'));

test('reads as the SDK does, once this has found the endpoint', async () => {
  const [first, second] = [await read(), await read()];
  expect(senders()).toEqual(['SDK', 'direct']);
  expect([first.Item, second.Item]).toEqual([ITEM, ITEM]);
  const [bySdk, direct] = received.map(({ url, body, headers }) => {
    const { host, 'content-type': type, 'x-amz-target': target } = headers;
    return { url, body: JSON.parse(body), host, type, target };
  });
  expect(direct).toEqual(bySdk);
});

test('returns no item where there is none', async () => {
  await read();
  answers = [answer(200, {})];
  expect((await read()).Item).toBeUndefined();
});

test('sends queries directly, page by page', async () => {
  await read();
  const pages = [{ Items: [ITEM], LastEvaluatedKey: { pk: { S: 'é💥' } } }, { Items: [{ B: { B: 'AQI=' } }] }];
  answers = pages.map((page) => answer(200, page));
  const found = [];
  for await (const items of pagesUnder({ client, name: 't', effects: systemEffects }, ITEM.pk)) found.push(...items);
  const values = { ':pk': ITEM.pk };
  const query = {
    ConsistentRead: true,
    TableName: 't',
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: values,
  };
  expect(found).toEqual([ITEM, { B: { B: new Uint8Array([1, 2]) } }]);
  const sent = received.slice(1).map(({ headers, body }) => [headers['x-amz-target'], JSON.parse(body)]);
  expect(sent).toEqual([
    ['DynamoDB_20120810.Query', query],
    ['DynamoDB_20120810.Query', { ...query, ExclusiveStartKey: { pk: { S: 'é💥' } } }],
  ]);
  expect(senders()).toEqual(['SDK', 'direct', 'direct']);
});

test('leaves commands, other requests and sets of binary attributes to the SDK', async () => {
  await read();
  await client.send(new ScanCommand({ TableName: 't' }));
  await client.send(new GetItemCommand(READ));
  answers = Array.from({ length: 2 }, () => answer(200, { Item: { pk: { BS: ['AQI='] } } }));
  expect((await read()).Item?.['pk']?.BS).toEqual([new Uint8Array([1, 2])]);
  expect(senders()).toEqual(['SDK', 'SDK', 'SDK', 'direct', 'SDK']);
});

describe('a read that fails', () => {
  test.each([
    ['a throttle', failure(400, 'ProvisionedThroughputExceededException')],
    ['an error of the service', failure(500, 'InternalServerError')],
    [
      'half a response',
      (response) => response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
    ],
    ['a response that is no JSON', (response) => response.end('<html>')],
    ['a closed connection', (response) => response.destroy()],
    ['no response in time', silence],
  ] satisfies [string, (response: ServerResponse) => void][])('is sent again by the SDK after %s', async (_, first) => {
    await read();
    answers = [first];
    expect((await read()).Item).toEqual(ITEM);
    expect(senders()).toEqual(['SDK', 'direct', 'SDK']);
  });

  test('reports the SDK’s error when the SDK fails too', async () => {
    await read();
    answers = Array.from({ length: 3 }, () => failure(400, 'ThrottlingException'));
    await expect(read()).rejects.toMatchObject({ name: 'ThrottlingException', $metadata: { attempts: 2 } });
  });

  test('is answered after the service closed the idle connection', async () => {
    await read();
    await read();
    for (const { socket } of received) (socket as import('node:net').Socket).destroy();
    expect((await read()).Item).toEqual(ITEM);
  });
});

test('replaces credentials that have expired', async () => {
  await read();
  await read();
  accessKeyId = 'B';
  await read();
  const used = received.map(({ headers }) => /Credential=([^/]*)/.exec(headers.authorization ?? '')?.[1]);
  expect(used).toEqual(['A', 'A', 'B']);
  expect(senders()).toEqual(['SDK', 'direct', 'direct']);
});

test('uses the clock of the service, once the SDK has found the difference', async () => {
  aheadMs = 2 * 3_600_000;
  answers = [failure(400, 'InvalidSignatureException')];
  await read();
  await read();
  expect(senders()).toEqual(['SDK', 'SDK', 'direct']);
  const time = String(received.at(-1)?.headers['x-amz-date']).replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:');
  expect(Math.abs(Date.parse(time) - Date.now() - aheadMs)).toBeLessThan(60_000);
});

test('follows the SDK to another endpoint', async () => {
  await read();
  endpoint = 'http://127.0.0.1:1';
  await client.send(new ScanCommand({ TableName: 't' })).catch(() => undefined);
  await expect(read()).rejects.toThrow('ECONNREFUSED');
  endpoint = api.endpoint;
  await read();
  await read();
  expect(senders().slice(-2)).toEqual(['SDK', 'direct']);
});
