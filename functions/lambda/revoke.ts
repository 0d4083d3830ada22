import { systemEffects } from '../../shared/runtime/effects.ts';
import { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import { createRevoke } from '../push/revoke.ts';
import { connectionsFromEnv } from './fromEnv.ts';
import { managementApiFromEnv } from './managementApiFromEnv.ts';

const connections = connectionsFromEnv();

/** The queue of revocations. */
export const handler = createRevoke({
  connections,
  revocations: new DueRevocations(connections.table),
  ender: managementApiFromEnv(),
  now: systemEffects.now,
  pause: systemEffects.pause,
});
