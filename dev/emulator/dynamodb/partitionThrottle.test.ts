import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
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
  const partitionUnits = { read: 3, write: 10 };
  db = await startDynamoDb({ clock, partitionUnits, log: (line) => log.push(line) });
  client = clientOf(db, { maxAttempts: 1 });
  await createTable(client, 'Table');
});
afterEach(async () => {
  client.destroy();
  await db.close();
});

const put = (pk: string, bytes = 1) =>
  client.send(new PutItemCommand({ TableName: 'Table', Item: { ...key(pk), text: { S: 'x'.repeat(bytes) } } }));
const get = (pk: string) => client.send(new GetItemCommand({ TableName: 'Table', Key: key(pk), ConsistentRead: true }));

test('refuses requests for a partition key above its units, and serves other keys', async () => {
  await put('A', 5_000);
  // Two units each. The last request may take more than is left.
  await get('A');
  await get('A');
  await expect(get('A')).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: expect.stringContaining('check if you have a hot key'),
    ThrottlingReasons: [
      { reason: 'TableReadKeyRangeThroughputExceeded', resource: expect.stringMatching(/:table\/Table$/) },
    ],
  });
  expect(log).toEqual(['dynamodb GetItem throttled: A']);
  expect(await get('B')).not.toHaveProperty('ConsumedCapacity');
  await put('A');
  clock.advance(300);
  await expect(get('A')).rejects.toThrow('Throughput exceeds');
  clock.advance(100);
  expect((await get('A')).Item).toBeDefined();
});
