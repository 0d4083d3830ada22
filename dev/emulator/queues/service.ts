import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, sleep } from '../clock.ts';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import { md5, type ReceivedMessage, systemAttributes } from './message.ts';
import type { Queue } from './queue.ts';
import type { Queues } from './queues.ts';
import { sendBatch, sendOne } from './sending.ts';

type Input = Record<string, unknown>;

/** SQS's API over `queues`, as far as senders and pollers use it. */
export function sqsService(queues: Queues, clock: Clock): AwsJsonService {
  const queueOf = (input: Input): Queue => {
    const name = String(input['QueueUrl'] ?? input['QueueName'] ?? '')
      .split('/')
      .at(-1);
    const queue = queues.byName(name ?? '');
    if (queue) return queue;
    throw new AwsError('QueueDoesNotExist', `The specified queue does not exist: ${name}`, {
      queryCode: 'AWS.SimpleQueueService.NonExistentQueue',
    });
  };
  return {
    target: 'AmazonSQS',
    contentType: 'application/x-amz-json-1.0',
    operations: {
      SendMessage: (input, headers) => sendOne(queueOf(input), input, traceIn(headers)),
      SendMessageBatch: (input, headers) =>
        sendBatch(queueOf(input), (input['Entries'] ?? []) as Input[], traceIn(headers)),
      ReceiveMessage: (input) => receive(queueOf(input), input, clock),
      DeleteMessage: (input) => {
        queueOf(input).delete(String(input['ReceiptHandle']));
      },
      ChangeMessageVisibility: (input) => {
        queueOf(input).changeVisibility(String(input['ReceiptHandle']), Number(input['VisibilityTimeout']) * 1000);
      },
      GetQueueAttributes: (input) => ({ Attributes: attributes(queueOf(input)) }),
    },
    accessRequests: (operation, input) => {
      // A batch is sent by the right to send one message.
      const action = `sqs:${operation === 'SendMessageBatch' ? 'SendMessage' : operation}`;
      return [{ action, resource: queueOf(input).definition.arn }];
    },
    // The code of the former XML API, which SDKs still use as the name of the error.
    denial: { statusCode: 403, queryCode: 'AccessDenied' },
  };
}

/** SQS keeps the sender's header as the system attribute `AWSTraceHeader`. */
function traceIn(headers: IncomingHttpHeaders): string | undefined {
  return headers['x-amzn-trace-id'] as string | undefined;
}

function attributes(queue: Queue): Record<string, string> {
  const { definition } = queue;
  const { waiting, hidden } = queue.counts();
  const { redrive } = definition;
  return {
    QueueArn: definition.arn,
    ApproximateNumberOfMessages: String(waiting),
    ApproximateNumberOfMessagesNotVisible: String(hidden),
    ApproximateNumberOfMessagesDelayed: '0',
    VisibilityTimeout: String(definition.visibilityTimeoutMs / 1000),
    MaximumMessageSize: String(definition.maxMessageBytes),
    ...(definition.fifo && { FifoQueue: 'true' }),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.queueArn,
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  };
}

async function receive(queue: Queue, input: Input, clock: Clock): Promise<unknown> {
  const max = Number(input['MaxNumberOfMessages'] ?? 1);
  if (!Number.isInteger(max) || max < 1 || max > 10) {
    throw new AwsError('InvalidParameterValue', `MaxNumberOfMessages must be 1 to 10, not ${max}`);
  }
  const visibilityMs = input['VisibilityTimeout'] === undefined ? undefined : Number(input['VisibilityTimeout']) * 1000;
  const deadline = clock.now() + Number(input['WaitTimeSeconds'] ?? 0) * 1000;
  let messages = queue.receive(max, visibilityMs);
  while (messages.length === 0 && clock.now() < deadline) {
    const arrival = new AbortController();
    const forget = queue.onAvailable(() => arrival.abort());
    await sleep(clock, deadline - clock.now(), arrival.signal);
    forget();
    messages = queue.receive(max, visibilityMs);
  }
  return messages.length > 0 ? { Messages: messages.map(toWire) } : {};
}

function toWire(message: ReceivedMessage): unknown {
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: md5(message.body),
    Attributes: systemAttributes(message),
  };
}
