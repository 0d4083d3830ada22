import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createSqs } from './queue.ts';
import type { Revocation } from './revocation.ts';

/** The queue of revocations that are under way. */
export interface RevocationQueue {
  /** Hands a revocation in, to be handed out after a while: after 15 minutes at most, which is all that SQS delays. */
  send(revocation: Revocation, delayMs: number): Promise<void>;
}

const LONGEST_DELAY_SECONDS = 900;

/** The revocation queue that the stack names. */
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
