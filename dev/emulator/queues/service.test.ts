import {
  BatchRequestTooLong,
  ChangeMessageVisibilityCommand,
  EmptyBatchRequest,
  QueueDoesNotExist,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../clock.ts';
import { fifoDefinition, queueDefinition } from '../testing/queueDefinition.ts';
import { clientOptions, startServices, testAccessKey } from '../testing/services.ts';
import { signedPost } from '../testing/signedPost.ts';
import { sqsMaxBytes } from './definition.ts';
import { createQueues, type Queues } from './queue.ts';
import { sqsService } from './service.ts';

let services: Awaited<ReturnType<typeof startServices>>;
let sqs: SQSClient;
let queues: Queues;
beforeAll(async () => {
  queues = createQueues([queueDefinition('Plain'), fifoDefinition('Push.fifo')], systemClock);
  services = await startServices(sqsService(queues));
  sqs = new SQSClient(clientOptions(services.url));
});
afterAll(async () => {
  sqs.destroy();
  await services.close();
});

const receive = (name: string) => queues.byName(name)?.receive(10) ?? [];
const url = (name: string) => `${services.url}/000000000000/${name}`;
const entry = (Id: string, MessageBody = Id) => ({
  Id,
  MessageBody,
  MessageGroupId: 'g',
  MessageDeduplicationId: `${Id}-${MessageBody.length}`,
});
const sendBatch = (Entries: ReturnType<typeof entry>[]) =>
  sqs.send(new SendMessageBatchCommand({ QueueUrl: url('Push.fifo'), Entries }));

describe('SQS with the real SDK', () => {
  test('sends a message, changes its visibility, and counts messages', async () => {
    const QueueUrl = url('Plain');
    const counts = () => queues.byName('Plain')?.counts();
    const sent = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hällo' }));
    expect(counts()).toEqual({ waiting: 1, hidden: 0 });
    const [message] = receive('Plain');
    expect(message).toMatchObject({ id: sent.MessageId, body: 'hällo', receiveCount: 1 });
    expect(counts()).toEqual({ waiting: 0, hidden: 1 });
    const ReceiptHandle = message?.receiptHandle;
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    expect(receive('Plain')).toMatchObject([{ body: 'hällo', receiveCount: 2 }]);
  });

  test('a batch succeeds entry by entry', async () => {
    const answer = await sendBatch([entry('a'), { ...entry('b'), MessageGroupId: undefined as never }, entry('c')]);
    expect(answer.Successful?.map(({ Id, SequenceNumber }) => [Id, SequenceNumber?.length])).toEqual([
      ['a', 20],
      ['c', 20],
    ]);
    expect(answer.Failed).toEqual([expect.objectContaining({ Id: 'b', SenderFault: true, Code: 'MissingParameter' })]);
    const received = receive('Push.fifo');
    expect(received.map(({ body }) => body)).toEqual(['a', 'c']);
    expect(received[0]).toMatchObject({ groupId: 'g', deduplicationId: 'a-1' });
  });

  test('1 MiB is taken, in one message or one batch, and not a byte more', async () => {
    expect((await sendBatch([entry('big', 'x'.repeat(sqsMaxBytes))])).Successful).toHaveLength(1);
    const half = 'x'.repeat(sqsMaxBytes / 2);
    await expect(sendBatch([entry('h1', half), entry('h2', `${half}x`)])).rejects.toBeInstanceOf(BatchRequestTooLong);
    await expect(
      sqs.send(new SendMessageCommand({ QueueUrl: url('Plain'), MessageBody: 'x'.repeat(sqsMaxBytes + 1) })),
    ).rejects.toMatchObject({ name: 'InvalidParameterValue', message: expect.stringContaining('1048576 bytes') });
  });

  test('refuses invalid requests with the errors of SQS', async () => {
    await expect(sendBatch([])).rejects.toBeInstanceOf(EmptyBatchRequest);
    await expect(sendBatch(Array.from({ length: 11 }, (_, i) => entry(`${i}`)))).rejects.toBeInstanceOf(
      TooManyEntriesInBatchRequest,
    );
    await expect(sendBatch([entry('a'), entry('a', 'b')])).rejects.toMatchObject({ name: 'BatchEntryIdsNotDistinct' });
    const missing = new SendMessageCommand({ QueueUrl: url('Nowhere'), MessageBody: 'x' });
    await expect(sqs.send(missing)).rejects.toBeInstanceOf(QueueDoesNotExist);
    const unnamed = new SendMessageCommand({ QueueUrl: url('Push.fifo'), MessageBody: 'x', MessageGroupId: 'g' });
    await expect(sqs.send(unnamed)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  });

  test('answers malformed requests with an error, and keeps serving', async () => {
    const target = { 'x-amz-target': 'AmazonSQS.SendMessage' };
    const rubbish = await signedPost(services.url, testAccessKey, target, '{');
    expect([rubbish.status, await rubbish.json()]).toEqual([
      400,
      expect.objectContaining({ __type: expect.stringContaining('#SerializationException') }),
    ]);
    const unknown = await fetch(services.url, { method: 'POST', headers: { 'x-amz-target': 'AmazonSQS.toString' } });
    expect(await unknown.json()).toMatchObject({ __type: expect.stringContaining('#UnknownOperationException') });
    expect(services.log).toEqual([]);
  });
});
