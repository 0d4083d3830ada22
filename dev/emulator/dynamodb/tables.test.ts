import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type StreamSpecification,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { createTable } from './testing/client.ts';
import { client, useDynamoDb } from './testing/database.ts';

useDynamoDb();

const schema = (TableName: string): CreateTableCommandInput => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
});
const describeTable = async (TableName: string) => (await client.send(new DescribeTableCommand({ TableName }))).Table;

describe('CreateTable', () => {
  test('answers when the table can be used, and names its stream from then on', async () => {
    const specification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } as const;
    const { TableDescription } = await client.send(
      new CreateTableCommand({ ...schema('Streamed'), StreamSpecification: specification }),
    );
    expect(TableDescription).toMatchObject({ TableStatus: 'ACTIVE', StreamSpecification: specification });
    expect(TableDescription?.LatestStreamArn).toBe(
      `${TableDescription?.TableArn}/stream/${TableDescription?.LatestStreamLabel}`,
    );
    expect(TableDescription?.LatestStreamLabel).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(await describeTable('Streamed')).toEqual(TableDescription);
  });

  test('makes no stream unless asked to', async () => {
    await client.send(new CreateTableCommand({ ...schema('Plain'), StreamSpecification: { StreamEnabled: false } }));
    expect(await describeTable('Plain')).not.toHaveProperty('LatestStreamArn');
  });

  test.each([
    { StreamEnabled: true },
    { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' },
    { StreamViewType: 'NEW_IMAGE' } as StreamSpecification,
  ] satisfies StreamSpecification[])('refuses the stream %j', async (specification) => {
    const half = new CreateTableCommand({ ...schema('Half'), StreamSpecification: specification });
    await expect(client.send(half)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('takes the parameters that mean nothing here', async () => {
    await client.send(
      new CreateTableCommand({
        ...schema('Everything'),
        DeletionProtectionEnabled: true,
        SSESpecification: { Enabled: true, SSEType: 'KMS' },
        Tags: [{ Key: 'project', Value: 'flagwire' }],
        OnDemandThroughput: { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 10 },
        WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000 },
        TableClass: 'STANDARD',
        ResourcePolicy: '{}',
      }),
    );
    expect(await describeTable('Everything')).toMatchObject({ TableStatus: 'ACTIVE' });
  });

  test('refuses an index', async () => {
    const Projection = { ProjectionType: 'ALL' } as const;
    const { KeySchema } = schema('Indexed');
    const GlobalSecondaryIndexes = [{ IndexName: 'byOwner', KeySchema, Projection }];
    const create = new CreateTableCommand({ ...schema('Indexed'), GlobalSecondaryIndexes });
    await expect(client.send(create)).rejects.toThrow('no indexes');
  });

  test('refuses a name that is taken', async () => {
    await createTable(client, 'Taken');
    await expect(createTable(client, 'Taken')).rejects.toMatchObject({ name: 'ResourceInUseException' });
  });
});
