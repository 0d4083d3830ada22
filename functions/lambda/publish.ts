import { createPublish } from '../push/publish.ts';
import { createPushQueue } from '../push/queue.ts';
import { createRevocationQueue } from '../push/revocationQueue.ts';
import { requireEnv } from './environment.ts';

/** The stream of the flags table. */
export const handler = createPublish(
  createPushQueue(requireEnv('PUSH_QUEUE_URL')),
  createRevocationQueue(requireEnv('REVOCATION_QUEUE_URL')),
);
