import { DescribeTimeToLiveCommand, PutItemCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { startDynamoDb } from './server.ts';
import { clientOf, createTable, key, readAll, scanAll } from './testing/client.ts';
import { client, db, useDynamoDbEach } from './testing/database.ts';

let arn: string;

useDynamoDbEach();
beforeEach(async () => {
  arn = await createTable(client, 'Connections', 'NEW_AND_OLD_IMAGES');
});

const seconds = (offset: number) => ({ N: String(Math.floor(Date.now() / 1000) + offset) });
const put = (pk: string, more: object) =>
  client.send(new PutItemCommand({ TableName: 'Connections', Item: { ...key(pk), ...more } }));
const setTtl = (AttributeName: string, { TableName = 'Connections', Enabled = true } = {}) =>
  client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName, Enabled } }));
const describeTtl = async () =>
  (await client.send(new DescribeTimeToLiveCommand({ TableName: 'Connections' }))).TimeToLiveDescription;
const names = async () => (await scanAll(client, 'Connections')).map((item) => item['pk']?.S).sort();

describe('time to live', () => {
  test('is off at first, then on, and is not switched off', async () => {
    expect(await describeTtl()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    await setTtl('expiresAt');
    expect(await describeTtl()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
    await expect(setTtl('expiresAt')).rejects.toThrow('TimeToLive is already enabled');
    await expect(setTtl('expiresAt', { Enabled: false })).rejects.toThrow('does not switch TimeToLive off');
    await expect(setTtl('x', { TableName: 'Nowhere' })).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('removes what has expired, and nothing else', async () => {
    await setTtl('expiresAt');
    await put('expired', { expiresAt: seconds(-1) });
    await put('later', { expiresAt: seconds(60) });
    await put('never', {});
    await put('text', { expiresAt: { S: seconds(-1).N } });
    await put('other-attribute', { validUntil: seconds(-1) });
    await put('no-time-at-all', { expiresAt: { N: '1' } });
    await db.sweepNow();
    expect(await names()).toEqual(['later', 'never', 'no-time-at-all', 'other-attribute', 'text']);
  });

  test('removes nothing where it is off', async () => {
    await put('expired', { expiresAt: seconds(-1) });
    await db.sweepNow();
    expect(await names()).toEqual(['expired']);
  });

  test('records each removal as made by DynamoDB', async () => {
    await setTtl('expiresAt');
    for (let i = 0; i < 60; i++) await put(`expired-${i}`, { expiresAt: seconds(-1) });
    const before = db.feed.latestSequenceNumber();
    await db.sweepNow();
    await db.sweepNow();
    const records = await readAll(db.feed, arn, before);
    expect(records).toHaveLength(60);
    for (const { eventName, userIdentity, dynamodb } of records) {
      expect(eventName).toBe('REMOVE');
      expect(userIdentity).toEqual({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });
      expect(dynamodb.OldImage?.['expiresAt']).toBeDefined();
    }
  });

  test('sweeps by itself, at the interval that is asked for', async () => {
    const often = await startDynamoDb({ ttlSweepMs: 5 });
    const itsClient = clientOf(often);
    const itsArn = await createTable(itsClient, 'Connections', 'KEYS_ONLY');
    const ttl = { AttributeName: 'expiresAt', Enabled: true };
    await itsClient.send(new UpdateTimeToLiveCommand({ TableName: 'Connections', TimeToLiveSpecification: ttl }));
    let appended = 0;
    const removed = new Promise<void>((resolve) => {
      often.feed.onAppend(() => {
        appended += 1;
        if (appended === 2) resolve();
      });
    });
    await itsClient.send(
      new PutItemCommand({ TableName: 'Connections', Item: { ...key('expired'), expiresAt: seconds(-1) } }),
    );
    await removed;
    const records = await readAll(often.feed, itsArn);
    expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'REMOVE']);
    itsClient.destroy();
    await often.close();
  });
});
