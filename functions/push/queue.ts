import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';

/** The push queue as the publisher sees it. */
export interface PushQueue {
  /** Sends messages in order, at most one batch of SQS's. @throws when SQS did not take one of them */
  send(messages: readonly PushMessage[]): Promise<void>;
}

/** The push queue as its consumer sees it. */
export interface RetryQueue {
  /** Makes a message that was received for the n-th time visible again soon. */
  retrySoon(receiptHandle: string, timesReceived: number): Promise<void>;
}

/** The longest pause before a failed message is retried, in seconds. The first is one second; each is twice the last. */
const LONGEST_PAUSE_SECONDS = 300;

/** The push queue that the stack names, for sending. */
export function createPushQueue(queueUrl: string): PushQueue {
  const client = createSqs();
  return {
    async send(messages) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.map((message, index) => ({
            Id: String(index),
            MessageBody: bodyOf(message),
            MessageGroupId: groupOf(message),
            MessageDeduplicationId: deduplicationIdOf(message),
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`SQS did not take ${Failed.length} messages: ${Failed[0]?.Message}`);
    },
  };
}

/** The push queue that the stack names, for trying again. */
export function createRetryQueue(queueUrl: string): RetryQueue {
  const client = createSqs();
  return {
    async retrySoon(receiptHandle, timesReceived) {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: Math.min(2 ** (timesReceived - 1), LONGEST_PAUSE_SECONDS),
        }),
      );
    },
  };
}

/** A client of SQS. A queue's URL names a host; the endpoint from the environment, where there is one, comes first. */
export function createSqs(): SQSClient {
  return new SQSClient({
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, socketTimeout: 5_000 },
  });
}
