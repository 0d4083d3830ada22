import { InvalidRequest, PONG, parseMessage } from '../../shared/protocol/message.ts';
import { AGENT_STATUS, RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { SyncRate } from './syncRate.ts';

/** Answers a message. */
type Answer = (event: WebSocketEvent) => Promise<WebSocketResult>;

/**
 * Makes the handler of all messages that no route matches. An echo is returned as it came. A ping or data-sync comes here
 * when its type is in other letter case than the route, which FeatBit accepts, and is answered as usual. What an agent tells of
 * itself needs no answer. Everything else
 * (unknown types, text that is not a message) is logged and gets no answer, as in FeatBit.
 *
 * One instance answers a connection as often as data-syncs (syncRate.ts), and logs ten lines a minute. What is over gets no answer.
 *
 * @param answerSync answers a data-sync, which has a bound of its own
 * @param now unix milliseconds
 */
export function createDefault(answerSync: Answer, now: () => number): Answer {
  const rate = new SyncRate(now);
  const limitedLog = new LimitedLog(now);
  return async (event) => {
    const { body = '', requestContext } = event;
    const { type, reason } = read(body);
    if (type === 'data-sync') return answerSync(event);
    return measureMessage(async (values) => {
      const { connectionId, authorizer } = requestContext;
      if (type === AGENT_STATUS && authorizer?.type === RELAY_TYPE) return NO_ANSWER;
      if (type === 'ping' || type === 'echo') {
        if (rate.take(connectionId).kind === 'admitted')
          return { statusCode: 200, body: type === 'ping' ? PONG : body };
      } else {
        limitedLog.warn('message ignored', { reason, connectionId });
      }
      values['websocket.messages.invalid'] = 1;
      return NO_ANSWER;
    });
  };
}

/** A message's type in lower case, or the reason why it is not a message. */
function read(body: string): { readonly type?: string; readonly reason: string } {
  try {
    return { type: parseMessage(body).messageType, reason: 'unknown type' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { reason: error.message };
  }
}
