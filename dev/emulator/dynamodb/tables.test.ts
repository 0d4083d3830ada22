import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { TRIM_HORIZON } from './feedKeys.ts';
import { createTable, key, readAll, scanAll } from './testing/client.ts';
import { client, db, useDynamoDb } from './testing/database.ts';

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

  test('makes no stream unless asked to, and refuses half a specification', async () => {
    await client.send(new CreateTableCommand({ ...schema('Plain'), StreamSpecification: { StreamEnabled: false } }));
    expect(await describeTable('Plain')).not.toHaveProperty('LatestStreamArn');
    for (const StreamSpecification of [
      { StreamEnabled: true },
      { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' as const },
      { StreamViewType: 'NEW_IMAGE' as const, StreamEnabled: undefined },
    ]) {
      const create = new CreateTableCommand({ ...schema('Half'), StreamSpecification });
      await expect(client.send(create)).rejects.toMatchObject({ name: 'ValidationException' });
    }
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

  test('refuses a name that is taken', async () => {
    await createTable(client, 'Taken');
    await expect(createTable(client, 'Taken')).rejects.toMatchObject({ name: 'ResourceInUseException' });
  });
});

describe('DeleteTable', () => {
  test('takes items, stream and checkpoints along, of this table only', async () => {
    const arn = await createTable(client, 'Gone', 'NEW_IMAGE');
    const neighbour = await createTable(client, 'Gone-not', 'NEW_IMAGE');
    for (const TableName of ['Gone', 'Gone-not']) {
      await client.send(new PutItemCommand({ TableName, Item: key('a') }));
    }
    await db.feed.checkpoint('consumer', arn, TRIM_HORIZON);
    await client.send(new DeleteTableCommand({ TableName: 'Gone' }));

    await expect(describeTable('Gone')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(scanAll(client, 'Gone')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(await readAll(db.feed, arn)).toEqual([]);
    expect(await db.feed.loadCheckpoint('consumer', arn)).toBeUndefined();
    expect(await readAll(db.feed, neighbour)).toHaveLength(1);
    expect(await scanAll(client, 'Gone-not')).toHaveLength(1);

    await createTable(client, 'Gone');
    expect(await scanAll(client, 'Gone')).toEqual([]);
    const { TableNames = [] } = await client.send(new ListTablesCommand({}));
    expect(TableNames.filter((name) => name.startsWith('Gone'))).toEqual(['Gone', 'Gone-not']);
  });
});
