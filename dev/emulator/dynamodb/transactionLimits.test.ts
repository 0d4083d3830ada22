import { type TransactWriteItem, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createTable, getItem, key, readAll } from './testing/client.ts';
import { client, db, useDynamoDb } from './testing/database.ts';

let arn: string;

useDynamoDb();
beforeAll(async () => {
  arn = await createTable(client, 'Flags', 'NEW_AND_OLD_IMAGES');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const write = (items: TransactWriteItem[], token?: string) =>
  client.send(new TransactWriteItemsCommand({ TransactItems: items, ...(token && { ClientRequestToken: token }) }));
const put = (pk: string, body = ''): TransactWriteItem => ({
  Put: { TableName: 'Flags', Item: { ...key(pk), body: { S: body } } },
});
const increment = (pk: string, by = 1): TransactWriteItem => ({
  Update: {
    TableName: 'Flags',
    Key: key(pk),
    UpdateExpression: 'ADD n :by',
    ExpressionAttributeValues: { ':by': { N: String(by) } },
  },
});
const n = async (pk: string) => (await getItem(client, 'Flags', key(pk)))?.['n']?.N;
const invalid = (message: string) =>
  expect.objectContaining({ name: 'ValidationException', message: expect.stringContaining(message) });

describe('the limits of a transaction', () => {
  test('are 1 to 100 actions', async () => {
    await write(Array.from({ length: 100 }, (_, i) => put(`hundred-${i}`)));
    expect(await getItem(client, 'Flags', key('hundred-99'))).toBeDefined();
    const many = Array.from({ length: 101 }, (_, i) => put(`more-${i}`));
    await expect(write(many)).rejects.toEqual(invalid('length less than or equal to 100'));
    await expect(write([])).rejects.toEqual(invalid('length greater than or equal to 1'));
    expect(await getItem(client, 'Flags', key('more-0'))).toBeUndefined();
  });

  test('are 4 MB of items in all and 400 KB in one', async () => {
    const body = 'x'.repeat(390 * 1024);
    await write(Array.from({ length: 10 }, (_, i) => put(`large-${i}`, body)));
    const eleven = Array.from({ length: 11 }, (_, i) => put(`larger-${i}`, body));
    await expect(write(eleven)).rejects.toEqual(invalid('at most 4194304'));
    expect(await getItem(client, 'Flags', key('larger-0'))).toBeUndefined();
    await expect(write([put('largest', 'x'.repeat(400 * 1024))])).rejects.toEqual(invalid('maximum allowed size'));
  });

  test('are one action an item, one kind an action, and tables that exist', async () => {
    await expect(write([put('twice'), increment('twice')])).rejects.toEqual(invalid('multiple operations on one item'));
    await expect(write([{ ...put('both'), ...increment('both') }])).rejects.toEqual(invalid('can only contain one of'));
    await expect(write([{}])).rejects.toEqual(invalid('can only contain one of'));
    const elsewhere = { Put: { TableName: 'Nowhere', Item: key('a') } };
    await expect(write([put('here'), elsewhere])).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(await getItem(client, 'Flags', key('here'))).toBeUndefined();
  });

  test('are expressions that can be understood', async () => {
    const broken = { ConditionCheck: { TableName: 'Flags', Key: key('a'), ConditionExpression: 'n >> 1' } };
    await expect(write([put('broken'), broken])).rejects.toEqual(invalid('Invalid ConditionExpression'));
  });
});

describe('a ClientRequestToken', () => {
  test('makes a repeated transaction one, in the log too', async () => {
    const before = db.feed.latestSequenceNumber();
    for (let i = 0; i < 3; i++) await write([increment('again')], 'token-again');
    expect(await n('again')).toBe('1');
    expect(await readAll(db.feed, arn, before)).toHaveLength(1);
    await write([increment('again')], 'another-token');
    expect(await n('again')).toBe('2');
  });

  test('cannot be used for another transaction', async () => {
    await write([increment('mismatch')], 'token-mismatch');
    await expect(write([increment('mismatch', 2)], 'token-mismatch')).rejects.toMatchObject({
      name: 'IdempotentParameterMismatchException',
    });
    expect(await n('mismatch')).toBe('1');
  });

  test('is not used up by a transaction that was cancelled', async () => {
    const check = {
      ConditionCheck: { TableName: 'Flags', Key: key('ready'), ConditionExpression: 'attribute_exists(pk)' },
    };
    await expect(write([increment('retried'), check], 'token-retried')).rejects.toThrow('Transaction cancelled');
    await write([put('ready')]);
    await write([increment('retried'), check], 'token-retried');
    expect(await n('retried')).toBe('1');
  });

  test('is forgotten after ten minutes', async () => {
    const now = Date.now();
    await write([increment('later')], 'token-later');
    jest.spyOn(Date, 'now').mockReturnValue(now + 9 * 60_000);
    await db.sweepNow();
    await write([increment('later')], 'token-later');
    expect(await n('later')).toBe('1');
    jest.spyOn(Date, 'now').mockReturnValue(now + 11 * 60_000);
    await write([increment('later')], 'token-later');
    expect(await n('later')).toBe('2');
    jest.spyOn(Date, 'now').mockReturnValue(now + 22 * 60_000);
    await db.sweepNow();
    await write([increment('later')], 'token-later');
    expect(await n('later')).toBe('3');
  });
});
