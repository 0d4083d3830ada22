import { GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
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
  client = clientOf(db);
  client.config.maxAttempts = async () => 1;
  await createTable(client, 'Table');
});
afterEach(async () => {
  client.destroy();
  await db.close();
});

const put = (pk: string, bytes = 1) =>
  client.send(new PutItemCommand({ TableName: 'Table', Item: { ...key(pk), text: { S: 'x'.repeat(bytes) } } }));
const get = (pk: string) => client.send(new GetItemCommand({ TableName: 'Table', Key: key(pk), ConsistentRead: true }));

test('a partition key serves its units a second, and others are not held up by it', async () => {
  await put('A', 5_000);
  // Two units each, and the last of them may take more than is left.
  await get('A');
  await get('A');
  await expect(get('A')).rejects.toMatchObject({
    name: 'ThrottlingException',
    message: expect.stringContaining('check if you have a hot key'),
    ThrottlingReasons: [
      { reason: 'TableReadKeyRangeThroughputExceeded', resource: expect.stringMatching(/:table\/Table$/) },
    ],
  });
  expect(new Set(log)).toEqual(new Set(['dynamodb GetItem throttled: A']));
  expect(await get('B')).not.toHaveProperty('ConsumedCapacity');
  await put('A');
  clock.advance(300);
  await expect(get('A')).rejects.toThrow('Throughput exceeds');
  clock.advance(100);
  expect((await get('A')).Item).toBeDefined();
});

test('a transaction takes twice the units, and is cancelled for the item that is throttled', async () => {
  const transact = (...pks: string[]) =>
    client.send(
      new TransactWriteItemsCommand({
        TransactItems: pks.map((pk) => ({ Put: { TableName: 'Table', Item: key(pk) } })),
      }),
    );
  for (let n = 0; n < 5; n += 1) await transact('A');
  await expect(transact('B', 'A')).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
  });
  clock.advance(1_000);
  await transact('B', 'A');
});
