import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ChangeRecord } from './changeRecord.ts';
import { TRIM_HORIZON } from './feedKeys.ts';
import { createTable, key, readAll } from './testing/client.ts';
import { client, db, useDynamoDbEach } from './testing/database.ts';

let arn: string;

useDynamoDbEach();
beforeEach(async () => {
  arn = await createTable(client, 'Flags', 'NEW_AND_OLD_IMAGES');
  await createTable(client, 'Quiet');
});
afterEach(() => {
  jest.restoreAllMocks();
});

const put = (pk: string, n: number, table = 'Flags') =>
  client.send(new PutItemCommand({ TableName: table, Item: { ...key(pk), n: { N: String(n) } } }));
const summary = (records: ChangeRecord[]) =>
  records.map(({ eventName, dynamodb }) => [
    eventName,
    dynamodb.Keys['pk']?.S,
    dynamodb.OldImage?.['n']?.N,
    dynamodb.NewImage?.['n']?.N,
  ]);

describe('the change feed', () => {
  test('holds every change of a table with a stream, in commit order, with both images', async () => {
    await put('a', 1);
    await put('a', 2);
    const where = { TableName: 'Flags', Key: key('a') };
    const add = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } };
    await client.send(new UpdateItemCommand({ ...where, ...add }));
    await client.send(new DeleteItemCommand(where));
    await put('a', 9, 'Quiet');
    expect(summary(await readAll(db.feed, arn))).toEqual([
      ['INSERT', 'a', undefined, '1'],
      ['MODIFY', 'a', '1', '2'],
      ['MODIFY', 'a', '2', '3'],
      ['REMOVE', 'a', '3', undefined],
    ]);
  });

  test('holds the changes of transactions and batches too', async () => {
    const item = (pk: string) => ({ ...key(pk), n: { N: '1' } });
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: ['a', 'b'].map((pk) => ({ Put: { TableName: 'Flags', Item: item(pk) } })),
      }),
    );
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: { Flags: [{ PutRequest: { Item: item('c') } }, { DeleteRequest: { Key: key('a') } }] },
      }),
    );
    const records = summary(await readAll(db.feed, arn));
    expect(records.slice(0, 2)).toEqual([
      ['INSERT', 'a', undefined, '1'],
      ['INSERT', 'b', undefined, '1'],
    ]);
    expect(records.slice(2).toSorted()).toEqual([
      ['INSERT', 'c', undefined, '1'],
      ['REMOVE', 'a', '1', undefined],
    ]);
  });

  test('holds nothing of a write that changes nothing or fails', async () => {
    await put('a', 1);
    const before = db.feed.latestSequenceNumber();
    await put('a', 1);
    await client.send(new DeleteItemCommand({ TableName: 'Flags', Key: key('nobody') }));
    const failing = { TableName: 'Flags', Item: key('a'), ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(client.send(new PutItemCommand(failing))).rejects.toThrow('The conditional request failed');
    expect(await readAll(db.feed, arn, before)).toEqual([]);
    expect(db.feed.latestSequenceNumber()).toBe(before);
  });

  test('is read from a position on, so many records at a time', async () => {
    for (let n = 1; n <= 5; n++) await put('a', n);
    const first = await db.feed.read(arn, TRIM_HORIZON, 2);
    const second = await db.feed.read(arn, first[1]?.dynamodb.SequenceNumber ?? '', 2);
    expect(summary([...first, ...second]).map(([, , , n]) => n)).toEqual(['1', '2', '3', '4']);
    expect(await db.feed.read(arn, db.feed.latestSequenceNumber(), 2)).toEqual([]);
  });

  test('knows TRIM_HORIZON and sequence numbers for positions, and nothing else', async () => {
    await put('a', 1);
    expect(await db.feed.read(arn, 'TRIM_HORIZON', 5)).toHaveLength(1);
    await db.feed.checkpoint('consumer', arn, 'TRIM_HORIZON');
    expect(await db.feed.loadCheckpoint('consumer', arn)).toBe('TRIM_HORIZON');
    for (const position of ['', 'LATEST', '1']) {
      await expect(db.feed.read(arn, position, 5)).rejects.toThrow('is not a position in a stream');
      await expect(db.feed.checkpoint('consumer', arn, position)).rejects.toThrow('is not a position in a stream');
    }
  });

  test('tells its listeners once a record is stored, until they leave', async () => {
    const reads: Promise<ChangeRecord[]>[] = [];
    const leave = db.feed.onAppend((streamArn) => reads.push(readAll(db.feed, streamArn)));
    await put('a', 1);
    await put('a', 1);
    await put('x', 1, 'Quiet');
    leave();
    await put('a', 2);
    expect((await Promise.all(reads)).map(summary)).toEqual([[['INSERT', 'a', undefined, '1']]]);
  });
});

describe('trimming', () => {
  const kept = async () => summary(await readAll(db.feed, arn)).map(([, , , n]) => n);

  test('removes what all known consumers have passed, and keeps counting from there', async () => {
    for (let n = 1; n <= 4; n++) await put('a', n);
    const records = await readAll(db.feed, arn);
    const position = (index: number) => records[index]?.dynamodb.SequenceNumber ?? '';
    await db.feed.checkpoint('slow', arn, TRIM_HORIZON);
    await db.feed.checkpoint('fast', arn, position(3));
    await db.sweepNow();
    expect(await kept()).toEqual(['1', '2', '3', '4']);
    await db.feed.checkpoint('slow', arn, position(1));
    await db.sweepNow();
    expect(await kept()).toEqual(['3', '4']);
    await db.feed.checkpoint('slow', arn, position(3));
    await db.sweepNow();
    expect(await kept()).toEqual([]);
    await put('a', 5);
    expect(await kept()).toEqual(['5']);
    expect(db.feed.latestSequenceNumber() > position(3)).toBe(true);
  });

  test('keeps a day of a stream that nobody reads, and all that a known consumer still has to see', async () => {
    await put('a', 1);
    const hour = 3600 * 1000;
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + 23 * hour);
    await put('a', 2);
    await db.sweepNow();
    expect(await kept()).toEqual(['1', '2']);
    jest.spyOn(Date, 'now').mockReturnValue(now + 25 * hour);
    await db.sweepNow();
    expect(await kept()).toEqual(['2']);
    await db.feed.checkpoint('late', arn, TRIM_HORIZON);
    jest.spyOn(Date, 'now').mockReturnValue(now + 500 * hour);
    await db.sweepNow();
    expect(await kept()).toEqual(['2']);
  });
});
