import { systemEffects } from '../../shared/runtime/effects.ts';
import { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import { createConnectionEnder } from '../gateway/connectionEnder.ts';
import { createRevoke } from '../push/revoke.ts';
import { connectionsFromEnv, requireEnv } from './fromEnv.ts';

const connections = connectionsFromEnv();

/** The queue of revocations. */
export const handler = createRevoke({
  connections,
  revocations: new DueRevocations(connections.table),
  ender: createConnectionEnder(requireEnv('CONNECTIONS_ENDPOINT'), systemEffects),
  now: systemEffects.now,
  pause: systemEffects.pause,
});
