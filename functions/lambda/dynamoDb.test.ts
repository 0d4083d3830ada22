import type { ServerResponse } from 'node:http';
import * as sdk from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { environmentOf, startTestTables, type TestTables } from '../../shared/store/testing/testTables.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import * as signed from './dynamoDb.ts';

let tables: TestTables;
let client: sdk.DynamoDBClient;
let own: signed.DynamoDBClient;
let TableName: string;
const environment = { ...process.env };

beforeAll(async () => {
  tables = await startTestTables();
  ({ client, flags: TableName } = tables.open(systemEffects).tables);
});
afterAll(() => tables.close());
beforeEach(async () => {
  Object.assign(process.env, await environmentOf(client));
  own = new signed.DynamoDBClient();
});
afterEach(() => {
  process.env = { ...environment };
  jest.restoreAllMocks();
});

const key = (n: number) => ({ pk: { S: 'p' }, sk: { S: `${n}` } });

test('writes and reads items as the SDK does, with their bytes', async () => {
  const values = {
    bytes: { B: new Uint8Array([1, 2, 255]) },
    buffer: { B: Buffer.from('abc') },
    nested: { M: { B: { S: 'b' }, list: { L: [{ N: '12345678901234567890' }, { BOOL: true }] } } },
    set: { SS: ['a', 'b'] },
  };
  await own.send(new signed.PutItemCommand({ TableName, Item: { ...key(1), ...values } }));
  const bySdk = await client.send(new sdk.GetItemCommand({ TableName, Key: key(1) }));
  const { Item } = (await own.send(new signed.GetItemCommand({ TableName, Key: key(1) }))) as typeof bySdk;
  expect(Item).toEqual(bySdk.Item);
  expect(Item?.['bytes']?.B).toEqual(new Uint8Array([1, 2, 255]));
});

describe('errors', () => {
  const Item = key(7);
  const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  type Refusal = sdk.TransactionCanceledException & Pick<sdk.ConditionalCheckFailedException, 'Item'>;
  const refusalOf = (sent: Promise<unknown>) =>
    sent.then(
      () => undefined,
      (error: Refusal) => error,
    );

  test.each(['a condition', 'a transaction', 'a table that does not exist'])('%s fails as by the SDK', async (name) => {
    await own.send(new signed.PutItemCommand({ TableName, Item: { ...Item, bytes: { B: new Uint8Array([1]) } } }));
    const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
    const put = { TableName, Item, ...isNew, ReturnValuesOnConditionCheckFailure };
    const transaction = { TransactItems: [{ Put: put }] };
    const unknown = { TableName: 'none', Key: key(1) };
    const send: Readonly<Record<string, () => readonly [bySdk: Promise<unknown>, bySelf: Promise<unknown>]>> = {
      'a condition': () => [client.send(new sdk.PutItemCommand(put)), own.send(new signed.PutItemCommand(put))],
      'a transaction': () => [
        client.send(new sdk.TransactWriteItemsCommand(transaction)),
        own.send(new signed.TransactWriteItemsCommand(transaction)),
      ],
      'a table that does not exist': () => [
        client.send(new sdk.GetItemCommand(unknown)),
        own.send(new signed.GetItemCommand(unknown)),
      ],
    };
    const [expected, found] = await Promise.all((send[name]?.() ?? []).map(refusalOf));
    const { name: errorName, message, $metadata, CancellationReasons } = expected as Refusal;
    const { httpStatusCode } = $metadata;
    expect(found).toMatchObject({ name: errorName, message, $metadata: { httpStatusCode } });
    expect([found?.CancellationReasons, found?.Item]).toEqual([CancellationReasons, (expected as Refusal).Item]);
    expect([
      found instanceof signed.ConditionalCheckFailedException,
      found instanceof signed.TransactionCanceledException,
    ]).toEqual([
      expected instanceof sdk.ConditionalCheckFailedException,
      expected instanceof sdk.TransactionCanceledException,
    ]);
  });
});

describe('attempts', () => {
  let answers: ((response: ServerResponse) => void)[] = [];
  let bodies: string[] = [];
  const api = useFakeApi(({ body }, response) => {
    bodies.push(body);
    (answers.shift() ?? answer(200, {}))(response);
  });
  const answer = (status: number, body: object) => (response: ServerResponse) =>
    response.writeHead(status).end(JSON.stringify(body));
  const failure = (status: number, name: string) => answer(status, { __type: `x#${name}`, message: 'no' });
  const read = (options = {}) => own.send(new signed.GetItemCommand({}), options);

  beforeEach(() => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = api.endpoint;
    [bodies, answers] = [[], []];
    own = new signed.DynamoDBClient({ maxAttempts: 4 });
  });

  test('repeats a transaction that failed, was throttled or got no answer, under the same token', async () => {
    const noAnswer = (response: ServerResponse) => response.destroy();
    answers = [
      failure(500, 'InternalServerError'),
      failure(400, 'ProvisionedThroughputExceededException'),
      noAnswer,
      failure(400, 'TransactionInProgressException'),
      failure(429, 'Other'),
      answer(400, { __type: 'x#InvalidSignatureException', message: 'Signature expired: …' }),
    ];
    own = new signed.DynamoDBClient({ maxAttempts: 7 });
    await own.send(new signed.TransactWriteItemsCommand({ TransactItems: [] }));
    const tokens = bodies.map((body) => JSON.parse(body).ClientRequestToken);
    expect(tokens).toEqual(Array(7).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
    expect(new Set(tokens).size).toBe(1);
  });

  test('repeats no refusal, and nothing more often than it may', async () => {
    answers = [failure(400, 'ValidationException')];
    await expect(read()).rejects.toMatchObject({ name: 'ValidationException', message: 'no' });
    expect(bodies).toHaveLength(1);
    answers = Array(4).fill(failure(503, 'ServiceUnavailable'));
    await expect(read()).rejects.toThrow('no');
    expect(bodies).toHaveLength(5);
  });

  test('names the status of an error that is not JSON', async () => {
    answers = [(response) => response.writeHead(403).end('<html>')];
    await expect(read()).rejects.toThrow('DynamoDB answered with status 403');
  });

  test('a signal ends the wait for an answer, and further attempts', async () => {
    answers = [() => {}];
    await expect(read({ abortSignal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(bodies).toHaveLength(1);
  });
});
