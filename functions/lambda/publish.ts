import { createPublish } from '../push/publish.ts';
import { createPushQueue } from '../push/queue.ts';
import { createRevocationQueue } from '../push/revocationQueue.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv, requireNumber } from './environment.ts';

/** The stream of the flags table. */
export const handler = createPublish({
  connections: connectionsFromEnv(),
  queue: createPushQueue(requireEnv('PUSH_QUEUE_URL'), requireNumber('GROUPS_PER_ENVIRONMENT')),
  revocations: createRevocationQueue(requireEnv('REVOCATION_QUEUE_URL')),
});
