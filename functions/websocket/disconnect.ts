import type { Connections } from '../../shared/store/connections/connections.ts';
import { isAnswered } from '../../shared/store/connections/deliveryState.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';

/**
 * Creates the handler of `$disconnect`. API Gateway does not always call it. Then a push that finds the connection gone, or the
 * time to live, removes the row. The same holds for the note of a connection that waits for an answer.
 */
export function createDisconnect(connections: Pick<Connections, 'remove' | 'unanswered'>, now: () => number) {
  return async ({ requestContext }: WebSocketEvent): Promise<WebSocketResult> => {
    const { authorizer, connectedAt, connectionId } = requestContext;
    if (connectedAt !== undefined) recordMetrics({ 'websocket.connections.duration': now() - connectedAt });
    const { envId = '', envIds = envId } = authorizer ?? {};
    if (!envIds) return NO_ANSWER;
    const removed = await Promise.all(envIds.split(',').map((each) => connections.remove(each, connectionId)));
    const wasWaiting = removed.some((connection) => !connection || !isAnswered(connection.state));
    if (wasWaiting) await connections.unanswered.remove(connectionId);
    return NO_ANSWER;
  };
}
