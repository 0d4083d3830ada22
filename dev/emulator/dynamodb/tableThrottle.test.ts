import { CreateTableCommand, DescribeTableCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
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
      OnDemandThroughput: { MaxWriteRequestUnits: 2 },
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

test('the maximum is described', async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'Bounded' }));
  expect(Table?.OnDemandThroughput).toEqual({ MaxWriteRequestUnits: 2 });
});
