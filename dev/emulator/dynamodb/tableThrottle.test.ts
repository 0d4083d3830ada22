import {
  CreateTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ManualClock, manualClock } from '../testing/manualClock.ts';
import { type LocalDynamoDb, startDynamoDb } from './server.ts';
import { clientOf, createTable, key } from './testing/client.ts';

let clock: ManualClock;
let log: string[];
let db: LocalDynamoDb;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  clock = manualClock();
  log = [];
  db = await startDynamoDb({ clock, log: (line) => log.push(line) });
  client = clientOf(db, { maxAttempts: 1 });
  await createTable(client, 'Unbounded');
  await client.send(
    new CreateTableCommand({
      TableName: 'Bounded',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      OnDemandThroughput: { MaxReadRequestUnits: 3, MaxWriteRequestUnits: 2 },
    }),
  );
});
afterEach(async () => {
  client.destroy();
  await db.close();
});

const add = (pk: string, TableName = 'Bounded') =>
  client.send(
    new UpdateItemCommand({
      TableName,
      Key: key(pk),
      UpdateExpression: 'ADD n :n',
      ExpressionAttributeValues: { ':n': { N: '1' } },
    }),
  );

test('a table refuses writes above its maximum, and other tables take writes', async () => {
  expect(await add('A')).not.toHaveProperty('ConsumedCapacity');
  await client.send(new PutItemCommand({ TableName: 'Bounded', Item: key('B') }));
  await expect(add('C')).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
    ThrottlingReasons: [
      { reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: expect.stringMatching(/:table\/Bounded$/) },
    ],
  });
  expect(log).toEqual(['dynamodb UpdateItem throttled: maximum of table Bounded']);
  for (let n = 0; n < 5; n += 1) await add('A', 'Unbounded');
  clock.advance(500);
  await add('C');
  await expect(add('C')).rejects.toThrow('Throughput exceeds');
});

test('a table refuses reads above its maximum, whatever it has written', async () => {
  const get = () =>
    client
      .send(new GetItemCommand({ TableName: 'Bounded', Key: key('A'), ConsistentRead: true }))
      .then(({ Item }) => Item);
  await client.send(
    new PutItemCommand({ TableName: 'Bounded', Item: { ...key('A'), text: { S: 'x'.repeat(5_000) } } }),
  );
  // Two units each. The last request may take more than is left.
  await get();
  await get();
  await expect(get()).rejects.toMatchObject({
    ThrottlingReasons: [{ reason: 'TableReadMaxOnDemandThroughputExceeded' }],
  });
  clock.advance(400);
  expect(await get()).toBeDefined();
});

test('the maximum is described', async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Bounded' }));
  expect(Table?.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 3, MaxWriteRequestUnits: 2 });
});
