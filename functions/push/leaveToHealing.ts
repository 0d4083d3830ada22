import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connection } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';

/**
 * Leaves a connection to healing (websocket/heal.ts), which answers it anew. It is marked first: should this fail in between,
 * the next delivery that meets the mark notes the connection.
 *
 * @param version up to which the connection has everything
 */
export async function leaveToHealing(
  connections: Connections,
  envId: string,
  connection: Connection,
  version: number,
): Promise<void> {
  await connections.states.markWaiting(envId, connection, version);
  await noteForHealing(connections, envId, connection);
}

/** Notes a connection for healing, unless it is noted: as the connect authorizer did, for its newest data-sync. */
export async function noteForHealing(
  { unanswered }: Pick<Connections, 'unanswered'>,
  envId: string,
  { id, type, secretId, patchContents, relayEnvIds, requestedAt: since }: Connection,
): Promise<void> {
  const context = relayEnvIds
    ? { type: RELAY_TYPE, secretId, envIds: relayEnvIds }
    : { envId, type, secretId, patchContents };
  await unanswered.noteUnlessNoted({ id, since, context });
}
