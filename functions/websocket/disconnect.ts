import type { Connections } from '../../shared/store/connections.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';

/**
 * Makes the handler of `$disconnect`. API Gateway does not always call it: then the row is removed when a push finds the
 * connection gone, or by its time to live.
 */
export function createDisconnect(connections: Pick<Connections, 'remove'>, now: () => number) {
  return async ({ requestContext }: WebSocketEvent): Promise<WebSocketResult> => {
    const { authorizer, connectedAt, connectionId } = requestContext;
    const duration = connectedAt === undefined ? {} : { 'websocket.connections.duration': now() - connectedAt };
    recordMetrics({ 'websocket.connections.active': -1, ...duration });
    const envId = authorizer?.envId;
    if (envId) await connections.remove(envId, connectionId);
    return NO_ANSWER;
  };
}
