import { DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { FirehoseClient, PutRecordCommand } from '@aws-sdk/client-firehose';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalDynamoDb, startDynamoDb } from '../dynamodb/server.ts';
import { clientOf } from '../dynamodb/testing/client.ts';
import { type AccessKey, Identities, newAccessKey } from '../iam/identities.ts';
import { clientOptions, startServices } from '../testing/services.ts';
import { checkSignature, readAuthorization } from './signature.ts';

/** The example of AWS's documentation of Signature Version 4, whose every step is published. */
const EXAMPLE_KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const EXAMPLE = {
  method: 'GET',
  url: '/?Version=2010-05-08&Action=ListUsers',
  headers: {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: 'iam.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  },
};
const check = (request = EXAMPLE, body = '', key: AccessKey = EXAMPLE_KEY) =>
  checkSignature(request, Buffer.from(body), readAuthorization(request, new Identities(key)));
const withHeaders = (headers: object) => ({ ...EXAMPLE, headers: { ...EXAMPLE.headers, ...headers } });
const named = (name: string) => ({
  statusCode: 400,
  body: expect.objectContaining({ __type: `com.amazon.coral.service#${name}` }),
});

describe('a signature', () => {
  test('accepts the signature of AWS’s own example', () => {
    expect(() => check()).not.toThrow();
  });

  test.each([
    ['another body', EXAMPLE, 'x', EXAMPLE_KEY],
    ['another method', { ...EXAMPLE, method: 'POST' }, '', EXAMPLE_KEY],
    ['another path', { ...EXAMPLE, url: '/x?Action=ListUsers&Version=2010-05-08' }, '', EXAMPLE_KEY],
    ['another query', { ...EXAMPLE, url: '/?Action=ListUsers' }, '', EXAMPLE_KEY],
    ['another host', withHeaders({ host: 'evil.example' }), '', EXAMPLE_KEY],
    ['another date', withHeaders({ 'x-amz-date': '20150830T123601Z' }), '', EXAMPLE_KEY],
    ['another secret', EXAMPLE, '', { ...EXAMPLE_KEY, secretAccessKey: 'guessed' }],
  ])('is not valid for %s', (_, request, body, key) => {
    expect(() => check(request, body, key)).toThrow(expect.objectContaining(named('InvalidSignatureException')));
  });

  test.each([
    ['none', '', 'MissingAuthenticationTokenException'],
    ['another kind', 'Basic dTpw', 'MissingAuthenticationTokenException'],
    ['a part', 'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE', 'IncompleteSignatureException'],
    [
      'one of another access key',
      EXAMPLE.headers.authorization.replace('AKIDEXAMPLE', 'local'),
      'UnrecognizedClientException',
    ],
  ])('refuses a signature that is %s, with AWS’s error name', (_, authorization, name) => {
    expect(() => check(withHeaders({ authorization }))).toThrow(expect.objectContaining(named(name)));
  });
});

test('an access key is another each time', () => {
  const [one, other] = [newAccessKey(), newAccessKey()];
  expect(one.accessKeyId).toMatch(/^LOCAL[\dA-F]{16}$/);
  expect(one.secretAccessKey).toMatch(/^[\w-]{40}$/);
  expect(other.accessKeyId).not.toBe(one.accessKeyId);
  expect(other.secretAccessKey).not.toBe(one.secretAccessKey);
});

describe('a service that is asked by AWS’s SDK', () => {
  let db: LocalDynamoDb;
  let services: Awaited<ReturnType<typeof startServices>>;
  beforeAll(async () => {
    db = await startDynamoDb();
    services = await startServices(
      { target: 'AmazonSQS', contentType: 'application/x-amz-json-1.0', operations: { ListQueues: () => ({}) } },
      { target: 'Firehose_20150804', contentType: 'application/x-amz-json-1.1', operations: { PutRecord: () => ({}) } },
    );
  });
  afterAll(async () => {
    await db.close();
    await services.close();
  });

  test('answers a client with the access key of this start', async () => {
    const client = clientOf(db);
    expect(await client.send(new ListTablesCommand({}))).toMatchObject({ TableNames: [] });
    client.destroy();
  });

  test.each([
    ['an access key of an earlier start', newAccessKey, 'UnrecognizedClientException'],
    ['the access key with another secret', () => ({ secretAccessKey: 'guessed' }), 'InvalidSignatureException'],
  ])('refuses %s', async (_, other, name) => {
    const client = clientOf({ ...db, accessKey: { ...db.accessKey, ...other() } });
    // Before it says whether there is such a table.
    await expect(client.send(new DescribeTableCommand({ TableName: 'Flags' }))).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: 400 },
    });
    client.destroy();
  });

  test('refuses both for queues and delivery streams, too', async () => {
    const options = { ...clientOptions(services.url), credentials: newAccessKey() };
    const [sqs, firehose] = [new SQSClient(options), new FirehoseClient(options)];
    const record = { DeliveryStreamName: 's', Record: { Data: Buffer.from('x') } };
    for (const refused of [sqs.send(new ListQueuesCommand({})), firehose.send(new PutRecordCommand(record))]) {
      await expect(refused).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    }
    const own = new FirehoseClient(clientOptions(services.url));
    await own.send(new PutRecordCommand(record));
    for (const each of [sqs, firehose, own]) each.destroy();
  });
});
