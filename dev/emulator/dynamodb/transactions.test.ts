import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTable, getItem, key, scanAll } from './testing/client.ts';
import { client, useDynamoDb } from './testing/database.ts';

// On disk a batch takes a while: only there can writers get in each other's way.
const path = mkdtempSync(join(tmpdir(), 'flagwire-dynamodb-'));

useDynamoDb({ path });
beforeAll(async () => {
  await createTable(client, 'Flags');
  await createTable(client, 'Other');
});
afterAll(() => {
  rmSync(path, { recursive: true, force: true });
});

const write = (items: TransactWriteItem[]) => client.send(new TransactWriteItemsCommand({ TransactItems: items }));
const put = (pk: string, n: number, more: object = {}): TransactWriteItem => ({
  Put: { TableName: 'Flags', Item: { ...key(pk), n: { N: String(n) } }, ...more },
});
const check = (pk: string, condition: string, more: object = {}): TransactWriteItem => ({
  ConditionCheck: { TableName: 'Flags', Key: key(pk), ConditionExpression: condition, ...more },
});
const n = async (pk: string, table = 'Flags') => (await getItem(client, table, key(pk)))?.['n']?.N;
const cancelled = async (items: TransactWriteItem[]): Promise<TransactionCanceledException> => {
  const error = await write(items).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  return error as TransactionCanceledException;
};

describe('TransactWriteItems', () => {
  test('does all of its actions, across tables', async () => {
    await write([put('all-updated', 1), put('all-deleted', 1), put('all-checked', 1)]);
    const set = { UpdateExpression: 'SET n = n + :two', ExpressionAttributeValues: { ':two': { N: '2' } } };
    await write([
      { Update: { TableName: 'Flags', Key: key('all-updated'), ...set } },
      { Delete: { TableName: 'Flags', Key: key('all-deleted'), ConditionExpression: 'attribute_exists(pk)' } },
      check('all-checked', 'attribute_exists(pk)'),
      { Put: { TableName: 'Other', Item: { ...key('all-put'), n: { N: '7' } } } },
    ]);
    expect([await n('all-updated'), await n('all-deleted'), await n('all-put', 'Other')]).toEqual([
      '3',
      undefined,
      '7',
    ]);
  });

  test('does none of them when one cannot be done, and says which and why', async () => {
    await write([put('none-present', 1)]);
    const error = await cancelled([
      put('none-new', 1),
      put('none-present', 2, {
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      check('none-absent', 'attribute_exists(pk)', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      {
        Update: {
          TableName: 'Flags',
          Key: key('none-other'),
          UpdateExpression: 'SET n = absent + :one',
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      },
    ]);
    expect(error.message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError]',
    );
    const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      { ...failed, Item: { ...key('none-present'), n: { N: '1' } } },
      failed,
      {
        Code: 'ValidationError',
        Message: 'The provided expression refers to an attribute that does not exist in the item',
      },
    ]);
    expect([await n('none-new'), await n('none-present')]).toEqual([undefined, '1']);
  });

  test('shows the item only where it was asked for', async () => {
    await write([put('quiet', 1)]);
    const error = await cancelled([check('quiet', 'attribute_not_exists(pk)')]);
    expect(error.CancellationReasons?.[0]).not.toHaveProperty('Item');
  });

  test('is cancelled by a key that does not match the schema, refused for an empty one', async () => {
    const wrong = { ...key('x'), sk: { N: '1' } };
    const error = await cancelled([put('schema', 1), { Delete: { TableName: 'Flags', Key: wrong } }]);
    expect(error.CancellationReasons?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError']);
    expect(error.CancellationReasons?.[1]?.Message).toBe('The provided key element does not match the schema');
    await expect(write([put('schema', 1), put('', 1)])).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await n('schema')).toBeUndefined();
  });
});

describe('concurrent writers', () => {
  test('exactly one of concurrent conditional transactions on the same items wins', async () => {
    const free = { ConditionExpression: 'attribute_not_exists(pk)' };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        write([put('race-a', i, free), put('race-b', i, free), put(`race-${i}`, i)]),
      ),
    );
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await n('race-a'), await n('race-b'), await n(`race-${winner}`)]).toEqual(Array(3).fill(String(winner)));
    const names = (await scanAll(client, 'Flags')).map((item) => item['pk']?.S ?? '');
    expect(names.filter((name) => /^race-\d/.test(name))).toEqual([`race-${winner}`]);
  });

  test('never come between the parts of a transaction', async () => {
    const add = (pk: string, by: number) => ({
      TableName: 'Flags',
      Key: key(pk),
      UpdateExpression: 'ADD n :by',
      ExpressionAttributeValues: { ':by': { N: String(by) } },
    });
    await write([put('from', 1000), put('to', 1000)]);
    const sums: number[] = [];
    await Promise.all([
      ...Array.from({ length: 30 }, () => write([{ Update: add('from', -1) }, { Update: add('to', 1) }])),
      ...Array.from({ length: 10 }, () => client.send(new UpdateItemCommand(add('from', 0)))),
      ...Array.from({ length: 10 }, async () => {
        const RequestItems = { Flags: { Keys: [key('from'), key('to')], ConsistentRead: true } };
        const { Responses } = await client.send(new BatchGetItemCommand({ RequestItems }));
        sums.push((Responses?.['Flags'] ?? []).reduce((sum, item) => sum + Number(item['n']?.N), 0));
      }),
    ]);
    expect(sums).toEqual(Array(10).fill(2000));
    expect([await n('from'), await n('to')]).toEqual(['970', '1030']);
  });
});
