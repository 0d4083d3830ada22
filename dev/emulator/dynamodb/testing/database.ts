import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type LocalDynamoDb, startDynamoDb } from '../server.ts';
import { clientOf } from './client.ts';

/** The DynamoDB of this test file. */
export let db: LocalDynamoDb;
/** An SDK client of it. */
export let client: DynamoDBClient;

/** Gives all tests of a file one DynamoDB, in memory unless there is a path. */
export function useDynamoDb(options?: Parameters<typeof startDynamoDb>[0]): void {
  beforeAll(() => open(options));
  afterAll(close);
}

/** Gives each test of a file a DynamoDB of its own. */
export function useDynamoDbEach(): void {
  beforeEach(() => open());
  afterEach(close);
}

async function open(options?: Parameters<typeof startDynamoDb>[0]): Promise<void> {
  db = await startDynamoDb(options);
  client = clientOf(db);
}

async function close(): Promise<void> {
  client.destroy();
  await db.close();
}
