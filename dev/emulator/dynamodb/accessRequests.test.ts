import { expect, test } from '@jest/globals';
import { dynamoDbRequests } from './accessRequests.ts';
import { type Database, openDatabase } from './database.ts';
import { allOperations } from './operations.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Table';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: '-' } });

async function withTable(): Promise<Database> {
  const database = await openDatabase(undefined);
  await allOperations(database)['CreateTable']?.({
    TableName: 'Table',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  });
  return database;
}

const request = (action: string, keys: string[], attributes: string[], more = {}) => ({
  action: `dynamodb:${action}`,
  resource: TABLE,
  context: { 'dynamodb:LeadingKeys': keys, 'dynamodb:Attributes': attributes, ...more },
});

test.each([
  ['GetItem', { TableName: 'Table', Key: key('A') }, [request('GetItem', ['A'], ['pk', 'sk'])]],
  [
    'PutItem',
    { TableName: 'Table', Item: { ...key('A'), n: { N: '1' } } },
    [request('PutItem', ['A'], ['pk', 'sk', 'n'])],
  ],
  [
    'UpdateItem',
    {
      TableName: 'Table',
      Key: key('A'),
      ReturnValues: 'ALL_NEW',
      UpdateExpression: 'SET #a.pk2 = if_not_exists(b, :zero) + :n REMOVE c[0]',
      ConditionExpression: 'attribute_exists(d) AND NOT begins_with(#e, :e)',
      ExpressionAttributeNames: { '#a': 'a', '#e': 'size' },
    },
    [request('UpdateItem', ['A'], ['pk', 'sk', 'd', 'size', 'a', 'b', 'c'])],
  ],
  [
    'Query',
    {
      TableName: 'Table',
      KeyConditionExpression: 'sk = :sk AND #p = :pk',
      ProjectionExpression: '#t',
      ExpressionAttributeNames: { '#p': 'pk', '#t': 'type' },
      ExpressionAttributeValues: { ':sk': { S: 'x' }, ':pk': { S: 'A' } },
    },
    [request('Query', ['A'], ['sk', 'pk', 'type'], { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'] })],
  ],
  // A partition key that cannot be told is none that a policy could mean.
  [
    'Query',
    { TableName: 'Table', KeyConditionExpression: 'begins_with(pk, :pk)' },
    [request('Query', [''], ['pk'], { 'dynamodb:Select': ['ALL_ATTRIBUTES'] })],
  ],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 'Table', Item: key('A') } },
        { Delete: { TableName: 'Table', Key: key('B') } },
        { ConditionCheck: { TableName: 'Table', Key: key('C'), ConditionExpression: 'v = :v' } },
      ],
    },
    [
      request('PutItem', ['A'], ['pk', 'sk']),
      request('DeleteItem', ['B'], ['pk', 'sk']),
      request('ConditionCheckItem', ['C'], ['pk', 'sk', 'v']),
    ],
  ],
  ['BatchGetItem', { RequestItems: { Table: { Keys: [key('A')] } } }, undefined],
  ['DescribeTable', { TableName: 'Table' }, [{ action: 'dynamodb:DescribeTable', resource: TABLE }]],
  ['ListTables', {}, [{ action: 'dynamodb:ListTables', resource: '*' }]],
  ['ExecuteStatement', {}, undefined],
] as const)('%s %j', async (operation, input, expected) => {
  const database = await withTable();
  expect(dynamoDbRequests(operation, input as Record<string, unknown>, database.store)).toEqual(expected);
  await database.close();
});
