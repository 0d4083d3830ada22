import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { Model, Resource } from './template/resolve.ts';

/**
 * Creates the tables of the templates that are not there yet: keys, stream and TTL as described. A table that
 * is there keeps what it has, and gets its TTL if an earlier start was killed before it could.
 *
 * @returns the stream ARN of each table that has one, by table name.
 * @throws Error naming the table when its TTL is on another attribute than the template's.
 */
export async function createTables(model: Model, endpoint: string): Promise<Map<string, string>> {
  const client = new DynamoDBClient({ endpoint });
  const streams = new Map<string, string>();
  try {
    for (const table of model.resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')) {
      const name = table.value();
      const streamArn = (await streamOf(client, name)) ?? (await createTable(client, table, name));
      if (streamArn) streams.set(name, streamArn);
      await enableTtl(client, table, name);
    }
  } finally {
    client.destroy();
  }
  return streams;
}

/** The stream ARN of an existing table, empty when it has none; undefined when there is no such table. */
async function streamOf(client: DynamoDBClient, name: string): Promise<string | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    return Table?.LatestStreamArn ?? '';
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function createTable(client: DynamoDBClient, table: Resource, name: string): Promise<string | undefined> {
  const stream = table.property('StreamSpecification') as { StreamViewType: 'NEW_AND_OLD_IMAGES' } | undefined;
  const { MaxWriteRequestUnits } = (table.property('WriteOnDemandThroughputSettings') ?? {}) as {
    MaxWriteRequestUnits?: number;
  };
  const { TableDescription } = await client.send(
    new CreateTableCommand({
      TableName: name,
      AttributeDefinitions: table.property('AttributeDefinitions') as CreateTableCommandInput['AttributeDefinitions'],
      KeySchema: table.property('KeySchema') as CreateTableCommandInput['KeySchema'],
      BillingMode: 'PAY_PER_REQUEST',
      ...(MaxWriteRequestUnits !== undefined && { OnDemandThroughput: { MaxWriteRequestUnits } }),
      GlobalSecondaryIndexes: table.property(
        'GlobalSecondaryIndexes',
      ) as CreateTableCommandInput['GlobalSecondaryIndexes'],
      ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } }),
    }),
  );
  return TableDescription?.LatestStreamArn;
}

async function enableTtl(client: DynamoDBClient, table: Resource, name: string): Promise<void> {
  const wanted = table.property('TimeToLiveSpecification') as { AttributeName: string; Enabled: boolean } | undefined;
  if (!wanted?.Enabled) return;
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  const current = TimeToLiveDescription?.AttributeName;
  if (current === wanted.AttributeName) return;
  if (current !== undefined) {
    throw new Error(
      `Table ${name} has its TTL on "${current}", the template on "${wanted.AttributeName}"; start with --fresh to remove the data of earlier starts`,
    );
  }
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: wanted }));
}
