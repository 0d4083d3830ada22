import type { LocalDynamoDb } from './dynamodb/server.ts';
import type { Model, Resource } from './template/resolve.ts';

/**
 * Creates the tables of the templates that are not there yet: keys, stream and TTL as described. A table that
 * is there keeps what it has, and gets its TTL if an earlier start was killed before it could.
 *
 * @returns the stream ARN of each table that has one, by table name.
 * @throws Error naming the table when its TTL is on another attribute than the template's.
 */
export async function createTables(
  model: Model,
  { operations }: Pick<LocalDynamoDb, 'operations'>,
): Promise<Map<string, string>> {
  const ask = async <T>(operation: string, input: Record<string, unknown>) =>
    (await operations[operation]?.(input, {})) as T;
  const streams = new Map<string, string>();
  const { TableNames } = await ask<{ TableNames: string[] }>('ListTables', {});
  for (const table of model.resources('AWS::DynamoDB::Table', 'AWS::DynamoDB::GlobalTable')) {
    const TableName = table.value();
    if (!TableNames.includes(TableName)) await ask('CreateTable', { TableName, ...descriptionOf(table) });
    const { Table } = await ask<{ Table: { LatestStreamArn?: string } }>('DescribeTable', { TableName });
    if (Table.LatestStreamArn !== undefined) streams.set(TableName, Table.LatestStreamArn);

    const wanted = table.property('TimeToLiveSpecification') as { AttributeName: string; Enabled: boolean } | undefined;
    if (!wanted?.Enabled) continue;
    const { TimeToLiveDescription } = await ask<{ TimeToLiveDescription: { AttributeName?: string } }>(
      'DescribeTimeToLive',
      { TableName },
    );
    const current = TimeToLiveDescription.AttributeName;
    if (current !== undefined && current !== wanted.AttributeName) {
      throw new Error(
        `Table ${TableName} has its TTL on "${current}", the template on "${wanted.AttributeName}"; start with --fresh to remove the data of earlier starts`,
      );
    }
    if (current === undefined) await ask('UpdateTimeToLive', { TableName, TimeToLiveSpecification: wanted });
  }
  return streams;
}

function descriptionOf(table: Resource): Record<string, unknown> {
  const stream = table.property('StreamSpecification') as { StreamViewType: string } | undefined;
  const { MaxWriteRequestUnits } = (table.property('WriteOnDemandThroughputSettings') ?? {}) as {
    MaxWriteRequestUnits?: number;
  };
  const indexes = table.property('GlobalSecondaryIndexes');
  return {
    AttributeDefinitions: table.property('AttributeDefinitions'),
    KeySchema: table.property('KeySchema'),
    BillingMode: 'PAY_PER_REQUEST',
    ...(MaxWriteRequestUnits !== undefined && { OnDemandThroughput: { MaxWriteRequestUnits } }),
    ...(indexes !== undefined && { GlobalSecondaryIndexes: indexes }),
    ...(stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.StreamViewType } }),
  };
}
