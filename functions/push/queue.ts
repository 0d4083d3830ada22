import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';

/** The push queue as the publisher sees it. */
export interface PushQueue {
  /** Sends messages in order, at most one batch of SQS's. @throws when SQS did not take one of them */
  send(messages: readonly PushMessage[]): Promise<void>;
}

/** The push queue as its consumer sees it. */
export interface RetryQueue {
  /** Hands a message that was received in again after some time; until then no later one of its group. */
  changeVisibility(receiptHandle: string, afterSeconds: number): Promise<void>;
  /** Puts a message among those that could not be delivered, for an operator to look at. */
  sendToDeadLetterQueue(message: DeadLetter): Promise<void>;
}

/** A message that is not handled. */
export interface DeadLetter {
  readonly messageId: string;
  readonly groupId: string;
  readonly body: string;
}

/** The push queue that the stack names, for sending. @param groups message groups of an environment; see {@link groupOf} */
export function createPushQueue(queueUrl: string, groups: number): PushQueue {
  const client = createSqs();
  return {
    async send(messages) {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.map((message, index) => ({
            Id: String(index),
            MessageBody: bodyOf(message),
            MessageGroupId: groupOf(message, groups),
            MessageDeduplicationId: deduplicationIdOf(message),
          })),
        }),
      );
      if (Failed.length > 0) throw new Error(`SQS did not take ${Failed.length} messages: ${Failed[0]?.Message}`);
    },
  };
}

/** The push queue that the stack names, for its consumer. @param undeliveredUrl the queue for what is set aside */
export function createRetryQueue(queueUrl: string, undeliveredUrl: string): RetryQueue {
  const client = createSqs();
  return {
    async changeVisibility(ReceiptHandle, VisibilityTimeout) {
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout }));
    },
    async sendToDeadLetterQueue({ messageId, groupId, body }) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: undeliveredUrl,
          MessageBody: body,
          MessageGroupId: groupId,
          MessageDeduplicationId: messageId,
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
