import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  ScanCommand,
  type StreamViewType,
} from '@aws-sdk/client-dynamodb';
import type { ChangeFeed } from '../changeFeed.ts';
import type { ChangeRecord } from '../changeRecord.ts';
import { TRIM_HORIZON } from '../feedKeys.ts';
import type { LocalDynamoDb } from '../server.ts';

/** An SDK client of an embedded DynamoDB. */
export function clientOf(
  { endpoint, accessKey }: Pick<LocalDynamoDb, 'endpoint' | 'accessKey'>,
  config: DynamoDBClientConfig = {},
): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: accessKey, ...config });
}

/** Creates a table with string keys `pk` and `sk`, with a stream when a view is given. Answers the stream's ARN. */
export async function createTable(client: DynamoDBClient, table: string, view?: StreamViewType): Promise<string> {
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      ...(view && { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }),
    }),
  );
  return TableDescription?.LatestStreamArn ?? '';
}

/** The key of an item of such a table. */
export function key(pk: string, sk = '-'): { pk: AttributeValue; sk: AttributeValue } {
  return { pk: { S: pk }, sk: { S: sk } };
}

/** One item, read strongly consistent. */
export async function getItem(
  client: DynamoDBClient,
  table: string,
  itemKey: Record<string, AttributeValue>,
): Promise<Record<string, AttributeValue> | undefined> {
  return (await client.send(new GetItemCommand({ TableName: table, Key: itemKey, ConsistentRead: true }))).Item;
}

/** Every item of a table. */
export async function scanAll(client: DynamoDBClient, table: string): Promise<Record<string, AttributeValue>[]> {
  const items: Record<string, AttributeValue>[] = [];
  let start: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}

/** Every record that a stream keeps. */
export function readAll(feed: ChangeFeed, streamArn: string, after = TRIM_HORIZON): Promise<ChangeRecord[]> {
  return feed.read(streamArn, after, 100_000);
}
