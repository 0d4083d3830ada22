import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';

/**
 * Leaves a connection to healing (websocket/heal.ts), which answers it again. The row is marked first: if the next step fails, the
 * next delivery that sees the mark notes the connection.
 *
 * @param version version up to which the connection has everything
 */
export async function leaveToHealing(
  connections: Pick<Connections, 'states' | 'unanswered'>,
  envId: string,
  connection: Connection,
  version: number,
): Promise<void> {
  await connections.states.mark(envId, connection, version, 'waiting');
  await noteForHealing(connections, envId, connection);
}

/** Notes a connection for healing, unless it is noted already; like the connect authorizer, for its newest data-sync. */
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
