import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createTable, getItem, key } from './testing/client.ts';
import { client, useDynamoDb } from './testing/database.ts';

useDynamoDb();
beforeAll(async () => {
  await createTable(client, 'Flags');
});

describe('a condition that fails', () => {
  const present = { ...key('present'), n: { N: '1' } };
  const failing = {
    TableName: 'Flags',
    ConditionExpression: 'n > :n',
    ExpressionAttributeValues: { ':n': { N: '5' } },
  };
  const update = { UpdateExpression: 'SET m = :n' };
  const commands = (more: object) => [
    new PutItemCommand({ ...failing, Item: key('present'), ...more }),
    new UpdateItemCommand({ ...failing, Key: key('present'), ...update, ...more }),
    new DeleteItemCommand({ ...failing, Key: key('present'), ...more }),
  ];
  const failures = (more: object) =>
    Promise.all(
      commands(more).map((command) => client.send(command as PutItemCommand).catch((error: unknown) => error)),
    );

  beforeAll(async () => {
    await client.send(new PutItemCommand({ TableName: 'Flags', Item: present }));
  });

  test('answers with the item when it is asked for', async () => {
    for (const error of await failures({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })) {
      expect(error).toBeInstanceOf(ConditionalCheckFailedException);
      expect(error).toMatchObject({ message: 'The conditional request failed', Item: present });
    }
  });

  test('answers without it otherwise, or when there is none', async () => {
    for (const error of [
      ...(await failures({})),
      ...(await failures({ ReturnValuesOnConditionCheckFailure: 'NONE' })),
    ]) {
      expect(error).toBeInstanceOf(ConditionalCheckFailedException);
      expect((error as ConditionalCheckFailedException).Item).toBeUndefined();
    }
    const nobody = { ...failing, Item: key('nobody'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
    await expect(client.send(new PutItemCommand(nobody))).rejects.not.toHaveProperty('Item', expect.anything());
  });

  test('leaves the item as it was', async () => {
    await failures({});
    expect(await getItem(client, 'Flags', key('present'))).toEqual(present);
  });
});

describe('returned values', () => {
  test('are the old or the new ones, as asked for', async () => {
    const set = (value: string, ReturnValues: 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_NEW') =>
      new UpdateItemCommand({
        TableName: 'Flags',
        Key: key('values'),
        UpdateExpression: 'SET v = :v',
        ExpressionAttributeValues: { ':v': { S: value } },
        ReturnValues,
      });
    expect((await client.send(set('1', 'ALL_NEW'))).Attributes).toEqual({ ...key('values'), v: { S: '1' } });
    expect((await client.send(set('2', 'ALL_OLD'))).Attributes).toEqual({ ...key('values'), v: { S: '1' } });
    expect((await client.send(set('3', 'UPDATED_NEW'))).Attributes).toEqual({ v: { S: '3' } });
  });
});
