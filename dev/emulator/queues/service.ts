import type { IncomingHttpHeaders } from 'node:http';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import type { Queue, Queues } from './queue.ts';
import { sendBatch, sendOne } from './sending.ts';

type Input = Record<string, unknown>;

/** SQS's API over `queues`, as far as senders use it. The pollers of event sources read the queues themselves. */
export function sqsService(queues: Queues): AwsJsonService {
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
      ChangeMessageVisibility: (input) => {
        queueOf(input).changeVisibility(String(input['ReceiptHandle']), Number(input['VisibilityTimeout']) * 1000);
      },
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
