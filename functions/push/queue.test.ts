import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Change } from '../../shared/store/documents/change.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import { sqsFromEnv } from '../lambda/sqsFromEnv.ts';
import { createPushQueue, createRetryQueue } from './queue.ts';

const before = { ...process.env };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
let url: string;
let requests: { readonly operation: string; readonly body: Record<string, unknown> }[] = [];
let failed: string[] = [];

const sqs = useFakeApi((request, response) => {
  const body = JSON.parse(request.body);
  requests.push({ operation: String(request.headers['x-amz-target']).replace('AmazonSQS.', ''), body });
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  if (body.MessageBody) {
    response.end(JSON.stringify({ MessageId: 'sent', MD5OfMessageBody: md5(body.MessageBody) }));
    return;
  }
  const entries: { Id: string; MessageBody: string }[] = body.Entries ?? [];
  const taken = entries.filter(({ Id }) => !failed.includes(Id));
  response.end(
    JSON.stringify({
      Successful: taken.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) })),
      Failed: failed.map((Id) => ({ Id, SenderFault: false, Code: 'ServiceUnavailable', Message: 'busy' })),
    }),
  );
});
beforeAll(() => {
  url = `${sqs.endpoint}/queue.fifo`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_SQS: sqs.endpoint });
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
});
afterAll(() => {
  process.env = before;
});
beforeEach(() => {
  requests = [];
  failed = [];
});

describe('the queue that receives changes', () => {
  const change: Change = { kind: 'flag', envId: 'env', id: 'f', updatedAt: 5, previous: 4, writtenAt: 5 };
  const work = [0, 1, 2, 3].map((shard) => ({ shard, changes: [change] as const }));

  test('gets groups and ids by which it keeps order and drops duplicates', async () => {
    await createPushQueue(sqsFromEnv(), url, 3).send(work);
    expect(requests).toEqual([
      {
        operation: 'SendMessageBatch',
        body: {
          QueueUrl: url,
          Entries: work.map((each, shard) => ({
            Id: String(shard),
            MessageBody: JSON.stringify(each),
            MessageGroupId: `env#${shard % 3}`,
            MessageDeduplicationId: `env:${shard}:5-5`,
          })),
        },
      },
    ]);
  });

  test('fails if it takes only some of a batch', async () => {
    failed = ['3'];
    await expect(createPushQueue(sqsFromEnv(), url, 3).send(work)).rejects.toThrow('SQS did not take 1 messages: busy');
  });
});

test('sends requests to the endpoint of the environment, with any host in the URL', async () => {
  const elsewhere = 'http://127.0.0.1:1/queue.fifo';
  await createRetryQueue(sqsFromEnv(), elsewhere, elsewhere).changeVisibility('a receipt', 0);
  expect(requests.map(({ body }) => body['QueueUrl'])).toEqual([elsewhere]);
});

describe('the queue of deliveries', () => {
  const queue = () => createRetryQueue(sqsFromEnv(), url, `${url}/undelivered.fifo`);

  test('hands in again after some seconds', async () => {
    await queue().changeVisibility('a receipt', 7);
    expect(requests).toEqual([
      {
        operation: 'ChangeMessageVisibility',
        body: { QueueUrl: url, ReceiptHandle: 'a receipt', VisibilityTimeout: 7 },
      },
    ]);
  });

  test('sets aside in another queue, in its group, once', async () => {
    await queue().sendToDeadLetterQueue({ messageId: 'id', groupId: 'env#3', body: '{}' });
    expect(requests).toEqual([
      {
        operation: 'SendMessage',
        body: {
          QueueUrl: `${url}/undelivered.fifo`,
          MessageBody: '{}',
          MessageGroupId: 'env#3',
          MessageDeduplicationId: 'id',
        },
      },
    ]);
  });
});
