import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteItemCommand,
  DescribeContinuousBackupsCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { signedPost } from '../testing/signedPost.ts';
import { TRIM_HORIZON } from './feedKeys.ts';
import { type LocalDynamoDb, startDynamoDb } from './server.ts';
import { clientOf, createTable, getItem, key, readAll, scanAll } from './testing/client.ts';

const root = mkdtempSync(join(tmpdir(), 'flagwire-dynamodb-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open: LocalDynamoDb[] = [];
const start: typeof startDynamoDb = async (options) => {
  const db = await startDynamoDb(options);
  open.push(db);
  return db;
};
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(open.splice(0).map((db) => db.close()));
});

describe('the embedded DynamoDB', () => {
  test('keeps everything in its directory: items, records, positions, used tokens', async () => {
    const path = join(root, 'made', 'if-need-be');
    const first = await start({ path });
    const client = clientOf(first);
    const arn = await createTable(client, 'Flags', 'NEW_IMAGE');
    const put = { TransactItems: [{ Put: { TableName: 'Flags', Item: key('a') } }], ClientRequestToken: 'once' };
    await client.send(new TransactWriteItemsCommand(put));
    const position = first.feed.latestSequenceNumber();
    await first.feed.checkpoint('consumer', arn, position);
    client.destroy();
    await open.pop()?.close();

    const second = await start({ path });
    const again = clientOf(second);
    expect(await getItem(again, 'Flags', key('a'))).toEqual(key('a'));
    expect(await readAll(second.feed, arn)).toHaveLength(1);
    expect(await second.feed.loadCheckpoint('consumer', arn)).toBe(position);
    expect(second.feed.latestSequenceNumber()).toBe(position);
    await again.send(new DeleteItemCommand({ TableName: 'Flags', Key: key('a') }));
    await again.send(new TransactWriteItemsCommand(put));
    expect(await getItem(again, 'Flags', key('a'))).toBeUndefined();
    expect((await readAll(second.feed, arn, position)).map(({ dynamodb }) => dynamodb.Keys)).toEqual([key('a')]);
    again.destroy();
  });

  test('has whole transactions with their records after the end of its log is lost', async () => {
    const path = join(root, 'whole');
    const client = clientOf(await start({ path }));
    const arn = await createTable(client, 'Flags', 'KEYS_ONLY');
    // Longer than a block of the log, so that a transaction can be torn.
    const data = { S: 'x'.repeat(40_000) };
    for (let n = 0; n < 6; n++) {
      const puts = ['a', 'b'].map((sk) => ({ Put: { TableName: 'Flags', Item: { ...key(String(n), sk), data } } }));
      await client.send(new TransactWriteItemsCommand({ TransactItems: puts }));
    }
    client.destroy();
    await open.pop()?.close();
    const log = readdirSync(path).find((name) => name.endsWith('.log')) ?? '';
    const counts: number[] = [];
    for (const part of [1, 0.97, 0.8, 0.5, 0.2]) {
      const torn = join(root, `torn-${part}`);
      cpSync(path, torn, { recursive: true });
      truncateSync(join(torn, log), Math.floor(statSync(join(path, log)).size * part));
      const db = await start({ path: torn });
      const reader = clientOf(db);
      const nameOf = (keys: Record<string, { S?: string }>) => `${keys['pk']?.S} ${keys['sk']?.S}`;
      const items = (await scanAll(reader, 'Flags')).map(nameOf);
      const records = (await readAll(db.feed, arn)).map(({ dynamodb }) => nameOf(dynamodb.Keys));
      expect(records).toEqual(Array.from({ length: items.length }, (_, n) => `${n >> 1} ${n % 2 ? 'b' : 'a'}`));
      expect(items.toSorted()).toEqual(records);
      expect(items.length % 2).toBe(0);
      counts.push(items.length);
      reader.destroy();
      await open.pop()?.close();
    }
    expect(counts[0]).toBe(12);
    expect(new Set(counts).size).toBeGreaterThan(2);
  });

  test('keeps what is in memory apart from others', async () => {
    const [one, other] = [await start(), await start()];
    const [client, stranger] = [clientOf(one), clientOf(other)];
    await createTable(client, 'Flags');
    await expect(getItem(stranger, 'Flags', key('a'))).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    client.destroy();
    stranger.destroy();
  });

  test('says which directory is in use and which cannot be used', async () => {
    const path = join(root, 'taken');
    await start({ path });
    await expect(startDynamoDb({ path })).rejects.toThrow(`${path} is in use by another process`);
    await expect(startDynamoDb({ path: '/dev/null/data' })).rejects.toThrow('/dev/null/data cannot be opened');
  });

  test('listens on the loopback address only', async () => {
    const { endpoint } = await start();
    expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test('closes while clients hold connections open', async () => {
    const db = await start();
    const client = clientOf(db);
    await createTable(client, 'Flags');
    const silent = connect(Number(new URL(db.endpoint).port), '127.0.0.1');
    await once(silent, 'connect');
    await open.pop()?.close();
    await expect(db.feed.read('any', TRIM_HORIZON, 1)).rejects.toThrow('not open');
    silent.destroy();
    client.destroy();
  });

  test('writes nothing to the console', async () => {
    const written = [
      ...(['debug', 'error', 'info', 'log', 'warn'] as const).map((method) => jest.spyOn(console, method)),
      ...[process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write')),
    ];
    const db = await start({ path: join(root, 'quiet') });
    const client = clientOf(db);
    await createTable(client, 'Flags', 'KEYS_ONLY');
    await client.send(new PutItemCommand({ TableName: 'Flags', Item: key('a') }));
    await expect(getItem(client, 'Nowhere', key('a'))).rejects.toThrow('not found');
    client.destroy();
    await open.pop()?.close();
    expect(written.flatMap<unknown>((spy) => spy.mock.calls)).toEqual([]);
  });
});

describe('the HTTP endpoint', () => {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
  };
  const post = async (body: string, more: Record<string, string> = {}, method = 'POST') => {
    const { endpoint, accessKey } = await start();
    const response =
      method === 'GET' ? await fetch(endpoint) : await signedPost(endpoint, accessKey, { ...headers, ...more }, body);
    const answer = (await response.json()) as { __type?: string };
    return [response.status, answer.__type?.split('#')[1] ?? answer];
  };

  test('answers in the JSON protocol', async () => {
    expect(await post('{}')).toEqual([200, { TableNames: [] }]);
  });

  test.each([
    ['what is not JSON', '{', {}, 400, 'SerializationException'],
    ['what is no object', '[]', {}, 400, 'SerializationException'],
    ['a parameter of the wrong type', '{"Limit":"x"}', {}, 400, 'SerializationException'],
    ['a parameter out of range', '{"Limit":0}', {}, 400, 'ValidationException'],
    ['an unsigned request', '{}', { authorization: '' }, 400, 'MissingAuthenticationTokenException'],
    ['no operation at all', '{}', { 'x-amz-target': 'DynamoDB_20120810.toString' }, 400, 'UnknownOperationException'],
    ['another API', '{}', { 'x-amz-target': 'Other.ListTables' }, 400, 'UnknownOperationException'],
    ['more than 16 MB', ' '.repeat(16 * 1024 * 1024 + 1), {}, 413, 'RequestEntityTooLargeException'],
  ])('refuses %s', async (_what, body, more, status, name) => {
    expect(await post(body, more as Record<string, string>)).toEqual([status, name]);
  });

  test('refuses a GET', async () => {
    expect(await post('', {}, 'GET')).toEqual([400, 'UnknownOperationException']);
  });

  test('names an operation that it does not offer', async () => {
    const client = clientOf(await start());
    await expect(client.send(new DescribeContinuousBackupsCommand({ TableName: 'Flags' }))).rejects.toThrow(
      'does not offer DescribeContinuousBackups',
    );
    client.destroy();
  });
});
