import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';
import type { Revocation } from './revocation.ts';

/** The push queue for the publisher. */
export interface PushQueue {
  /** Sends messages in order, at most one SQS batch. @throws if SQS refuses one of them */
  send(messages: readonly PushMessage[]): Promise<void>;
}

/** The push queue for its consumer. */
export interface RetryQueue {
  /** Makes a received message visible again after some time. Later messages of its group wait until then. */
  changeVisibility(receiptHandle: string, afterSeconds: number): Promise<void>;
  /** Moves a message to the queue of undelivered messages, for an operator. */
  sendToDeadLetterQueue(message: DeadLetter): Promise<void>;
}

/** A message that was not handled. */
export interface DeadLetter {
  readonly messageId: string;
  readonly groupId: string;
  readonly body: string;
}

/** Opens the push queue for sending. @param groups message groups of an environment; see {@link groupOf} */
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

/** Opens the push queue for its consumer. @param undeliveredUrl queue of undelivered messages */
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

/** The queue of revocations. */
export interface RevocationQueue {
  send(revocation: Revocation): Promise<void>;
}

/** Opens the revocation queue. */
export function createRevocationQueue(QueueUrl: string): RevocationQueue {
  const client = createSqs();
  return {
    async send(revocation) {
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(revocation) }));
    },
  };
}

/** Creates an SQS client. An endpoint from the environment variables takes precedence over the host in the queue's URL. */
function createSqs(): SQSClient {
  return new SQSClient({
    useQueueUrlAsEndpoint: false,
    requestHandler: { connectionTimeout: 1_000, socketTimeout: 5_000 },
  });
}
