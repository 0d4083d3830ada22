import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createSqs } from './queue.ts';
import type { Revocation } from './revocation.ts';

/** The queue of revocations. */
export interface RevocationQueue {
  /** Sends a revocation with a delay of at most 15 minutes (SQS's limit). */
  send(revocation: Revocation, delayMs: number): Promise<void>;
}

const LONGEST_DELAY_SECONDS = 900;

/** Opens the revocation queue. */
export function createRevocationQueue(queueUrl: string): RevocationQueue {
  const client = createSqs();
  return {
    async send(revocation, delayMs) {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(revocation),
          DelaySeconds: Math.min(Math.max(0, Math.ceil(delayMs / 1_000)), LONGEST_DELAY_SECONDS),
        }),
      );
    },
  };
}
