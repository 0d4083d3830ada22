import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';
import type { Revocation } from './revocation.ts';

/** The push queue for the publisher. */
export type PushQueue = ReturnType<typeof createPushQueue>;

/** The push queue for its consumer. */
export type RetryQueue = ReturnType<typeof createRetryQueue>;

/** The queue of revocations. */
export type RevocationQueue = ReturnType<typeof createRevocationQueue>;

/** A message that was not handled. */
export interface DeadLetter {
  readonly messageId: string;
  readonly groupId: string;
  readonly body: string;
}

/** Opens the push queue for sending. @param groups message groups of an environment; see {@link groupOf} */
export function createPushQueue(client: SQSClient, queueUrl: string, groups: number) {
  return {
    /** Sends messages in order, at most one SQS batch. @throws if SQS refuses one of them */
    async send(messages: readonly PushMessage[]): Promise<void> {
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
export function createRetryQueue(client: SQSClient, queueUrl: string, undeliveredUrl: string) {
  return {
    /** Makes a received message visible again after some time. Later messages of its group wait until then. */
    async changeVisibility(ReceiptHandle: string, VisibilityTimeout: number): Promise<void> {
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout }));
    },
    /** Moves a message to the queue of undelivered messages, for an operator. */
    async sendToDeadLetterQueue({ messageId, groupId, body }: DeadLetter): Promise<void> {
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

/** Opens the revocation queue. */
export function createRevocationQueue(client: SQSClient, QueueUrl: string) {
  return {
    async send(revocation: Revocation): Promise<void> {
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(revocation) }));
    },
  };
}
