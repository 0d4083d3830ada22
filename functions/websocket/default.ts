import { InvalidRequest, PONG, parseMessage } from '../../shared/protocol/message.ts';
import { AGENT_STATUS, RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { SyncRate } from './syncRate.ts';

type MessageHandler = (event: WebSocketEvent) => Promise<WebSocketResult>;

/**
 * Creates the handler of messages that no route matches:
 *
 * - An echo is returned unchanged.
 * - A ping or data-sync whose type has another letter case than the route is answered as usual, like in FeatBit.
 * - An agent's status message needs no answer.
 * - Everything else (unknown types, invalid messages) is logged and gets no answer, like in FeatBit.
 *
 * An instance answers each connection at the rate of data-syncs (syncRate.ts), and logs ten lines a minute. Further messages get
 * no answer.
 *
 * @param answerSync answers a data-sync, which has its own rate limit
 * @param now unix milliseconds
 */
export function createDefault(answerSync: MessageHandler, now: () => number): MessageHandler {
  const rate = new SyncRate(now);
  const limitedLog = new LimitedLog(now);
  return async (event) => {
    const { body = '', requestContext } = event;
    const { type, reason } = read(body);
    if (type === 'data-sync') return answerSync(event);
    const { connectionId, authorizer } = requestContext;
    if (type === AGENT_STATUS && authorizer?.type === RELAY_TYPE) return NO_ANSWER;
    if (type === 'ping' || type === 'echo') {
      if (rate.take(connectionId) === 'admitted') return { statusCode: 200, body: type === 'ping' ? PONG : body };
    } else {
      limitedLog.warn('message ignored', { reason, connectionId });
    }
    recordMetrics({ 'websocket.messages.invalid': 1 });
    return NO_ANSWER;
  };
}

/** A message's type in lower case, or the reason why it is invalid. */
function read(body: string): { readonly type?: string; readonly reason: string } {
  try {
    return { type: parseMessage(body).messageType, reason: 'unknown type' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { reason: error.message };
  }
}
