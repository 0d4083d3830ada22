import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createSqs } from './queue.ts';
import type { Revocation } from './revocation.ts';

/** The queue of revocations. */
export interface RevocationQueue {
  send(revocation: Revocation): Promise<void>;
}

/** Opens the revocation queue. */
export function createRevocationQueue(queueUrl: string): RevocationQueue {
  const client = createSqs();
  return {
    async send(revocation) {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(revocation) }));
    },
  };
}
