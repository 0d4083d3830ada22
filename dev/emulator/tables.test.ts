import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientEnvironment } from './clients.ts';
import { createTable, scanAll } from './dynamodb/testing/client.ts';
import { client, db, useDynamoDbEach } from './dynamodb/testing/database.ts';
import { applyEnvironment } from './lambda/environment.ts';
import { createTables } from './tables.ts';
import { readModel } from './template/resolve.ts';
import type { Templates } from './template/template.ts';
import { dataTemplate } from './testing/templates.ts';

const FLAGS = 'Data-Flags';
const CONNECTIONS = 'Data-Connections';

let restoreEnvironment: () => void;
useDynamoDbEach();
beforeEach(() => {
  const { endpoint, accessKey } = db;
  restoreEnvironment = applyEnvironment(clientEnvironment({ dynamoDb: endpoint, services: '', accessKey }));
});
afterEach(() => restoreEnvironment());

/** Creates tables as a start does, from the templates of a small app or from others. */
function start(templates: Templates = { Data: dataTemplate }) {
  const addresses = { gatewayUrl: 'http://gateway', serviceUrl: 'http://services', streamArn: () => undefined };
  return createTables(readModel(templates, addresses), db);
}

/** The small app with another setting of its connections table's TTL; undefined takes the setting away. */
function withTtl(specification: object | undefined): Templates {
  const { Connections, ...others } = dataTemplate.Resources ?? {};
  const { TimeToLiveSpecification: _, ...properties } = Connections?.Properties ?? {};
  const Properties = { ...properties, ...(specification && { TimeToLiveSpecification: specification }) };
  return {
    Data: { ...dataTemplate, Resources: { ...others, Connections: { Type: 'AWS::DynamoDB::Table', Properties } } },
  };
}

const ttlOf = async (TableName: string) =>
  (await client.send(new DescribeTimeToLiveCommand({ TableName }))).TimeToLiveDescription;
const setTtl = (AttributeName: string) =>
  client.send(
    new UpdateTimeToLiveCommand({ TableName: CONNECTIONS, TimeToLiveSpecification: { AttributeName, Enabled: true } }),
  );

/** Leaves the state of a start that was killed between the table and its TTL. */
const createConnectionsOnly = () => createTable(client, CONNECTIONS);

const enabled = { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' };
const disabled = { TimeToLiveStatus: 'DISABLED' };

describe('the tables of the templates', () => {
  test('are created with their keys, stream and TTL', async () => {
    const streams = await start();
    expect([...streams.keys()]).toEqual([FLAGS]);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: FLAGS }));
    expect(Table).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      LatestStreamArn: streams.get(FLAGS),
    });
    expect(await ttlOf(FLAGS)).toEqual(disabled);
    expect(await ttlOf(CONNECTIONS)).toEqual(enabled);
  });

  test('existing tables keep their items, stream and TTL', async () => {
    const first = await start();
    const Item = { pk: { S: 'p' }, sk: { S: 's' } };
    await client.send(new PutItemCommand({ TableName: FLAGS, Item }));
    expect(await start()).toEqual(first);
    expect(await scanAll(client, FLAGS)).toEqual([Item]);
    expect(await ttlOf(CONNECTIONS)).toEqual(enabled);
  });
});

describe('the TTL of a table that is there already', () => {
  test('is switched on where a start was killed before it could', async () => {
    await createConnectionsOnly();
    await start();
    expect(await ttlOf(CONNECTIONS)).toEqual(enabled);
  });

  test('is left as it is where the template does not want one', async () => {
    await createConnectionsOnly();
    await start(withTtl(undefined));
    await start(withTtl({ AttributeName: 'expiresAt', Enabled: false }));
    expect(await ttlOf(CONNECTIONS)).toEqual(disabled);
    await setTtl('expiresAt');
    await start(withTtl(undefined));
    expect(await ttlOf(CONNECTIONS)).toEqual(enabled);
  });

  test('on another attribute is an error that names both', async () => {
    await createConnectionsOnly();
    await setTtl('validUntil');
    await expect(start()).rejects.toThrow(/Data-Connections.*"validUntil".*"expiresAt".*--fresh/);
  });
});
