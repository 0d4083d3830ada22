import { removeConnection } from '../../shared/store/connections.ts';
import type { Tables } from '../../shared/store/table.ts';
import { tablesFromEnv } from '../environment.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';

/**
 * Makes the handler of `$disconnect`, which API Gateway calls as best it can: a row it misses goes when a push finds
 * the connection gone, or by its time to live.
 */
export function createDisconnect(tables: Tables) {
  return async ({ requestContext }: WebSocketEvent): Promise<WebSocketResult> => {
    const envId = requestContext.authorizer?.envId;
    if (envId) await removeConnection(tables, envId, requestContext.connectionId);
    return SILENCE;
  };
}

export const handler = createDisconnect(tablesFromEnv());
