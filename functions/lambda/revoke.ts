import { systemEffects } from '../../shared/runtime/effects.ts';
import { createConnectionEnder } from '../push/connectionEnder.ts';
import { createRevocationQueue } from '../push/revocationQueue.ts';
import { createRevoke } from '../push/revoke.ts';
import { connectionsFromEnv } from './connections.ts';
import { requireEnv } from './environment.ts';

/** The queue of revocations. */
export const handler = createRevoke({
  connections: connectionsFromEnv(),
  ender: createConnectionEnder(requireEnv('CONNECTIONS_ENDPOINT'), systemEffects),
  queue: createRevocationQueue(requireEnv('REVOCATION_QUEUE_URL')),
  now: systemEffects.now,
  pause: systemEffects.pause,
});
