import { type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LocalDynamoDb, startDynamoDb } from '../../../dev/emulator/dynamodb/server.ts';
import type { Announcement } from '../../runtime/announcement.ts';
import { followAnnouncement } from './announcedTable.ts';

const before = { ...process.env };
let databases: LocalDynamoDb[];
let client: DynamoDBClient;
/** The announcement of `npm start`. Undefined if it is not running. */
let announced: Announcement | undefined;

beforeEach(() => {
  [databases, announced] = [[], undefined];
});
afterEach(async () => {
  process.env = { ...before };
  client?.destroy();
  for (const database of databases) await database.close();
});

/** Starts a DynamoDB, as each start of `npm start` does, and announces it. */
async function start(options: Parameters<typeof startDynamoDb>[0] = {}): Promise<Announcement> {
  const database = await startDynamoDb(options);
  const { accessKeyId, secretAccessKey } = database.accessKey;
  announced = {
    pid: databases.push(database),
    dynamoDbEndpoint: database.endpoint,
    flagsTable: 'Flags',
    httpUrl: 'http://127.0.0.1:1',
    environment: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
  return announced;
}

async function follow(): Promise<void> {
  client = followAnnouncement('.', await start(), {}, () => announced);
}

async function stop(): Promise<void> {
  announced = undefined;
  await databases.pop()?.close();
}

const ask = () => client.send(new ListTablesCommand({}));

describe('a client of what npm start announces', () => {
  test('uses that, whatever AWS’s variables say', async () => {
    const variables = { AWS_PROFILE: 'shop', AWS_SESSION_TOKEN: 'another', AWS_REGION: 'eu-west-1' };
    Object.assign(process.env, variables, { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'x' });
    await follow();
    expect(await ask()).toMatchObject({ TableNames: [] });
  });

  test('finds it again at another port, with another access key', async () => {
    await follow();
    await ask();
    await stop();
    await expect(ask()).rejects.toThrow();
    await start();
    expect(await ask()).toMatchObject({ TableNames: [] });
  });

  test('finds it again behind the same port, with another access key', async () => {
    await follow();
    await ask();
    const { accessKey } = databases[0] as LocalDynamoDb;
    Object.assign(accessKey, { accessKeyId: 'OTHER' });
    announced = {
      ...(announced as Announcement),
      pid: 2,
      environment: { AWS_ACCESS_KEY_ID: 'OTHER', AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey },
    };
    expect(await ask()).toMatchObject({ TableNames: [] });
  });

  test('does not turn to a table of another name', async () => {
    await follow();
    await stop();
    announced = { ...(await start()), flagsTable: 'Other' };
    await expect(ask()).rejects.toThrow();
  });
});
