import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';

/** The push queue, to who fills it. */
export interface PushQueue {
  /** Sends messages in order, as many as one batch may hold. @throws when any of them was not taken */
  send(work: readonly PushMessage[]): Promise<void>;
}

/** The push queue, to who empties it. */
export interface RetryQueue {
  /** Has a message that was received for the n-th time handed in again soon, not only when its visibility ends. */
  retrySoon(receiptHandle: string, timesReceived: number): Promise<void>;
}

/** Longest pause before a failed message is handed in again, in seconds; the first is one second, then doubling. */
const LONGEST_PAUSE_SECONDS = 300;

/** The push queue that the stack names, for sending. */
export function createPushQueue(queueUrl: string): PushQueue {
  const client = createSqs();
  return {
    async send(work) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: work.map((item, index) => ({
            Id: String(index),
            MessageBody: bodyOf(item),
            MessageGroupId: groupOf(item),
            MessageDeduplicationId: deduplicationIdOf(item),
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`the queue did not take ${Failed.length} messages: ${Failed[0]?.Message}`);
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
