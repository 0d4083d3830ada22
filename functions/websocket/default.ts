import { InvalidRequest, PONG, parseMessage } from '../../shared/protocol/message.ts';
import { AGENT_STATUS, RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { log } from '../telemetry/log.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';

/** Answers a message. */
type Answer = (event: WebSocketEvent) => Promise<WebSocketResult>;

/**
 * Makes the handler of all messages that no route matches. An echo is returned as it came. A ping or data-sync comes here
 * when its type is in other letter case than the route, which FeatBit accepts, and is answered as usual. What an agent tells of
 * itself needs no answer. Everything else
 * (unknown types, text that is not a message) is logged and gets no answer, as in FeatBit.
 *
 * @param answerSync answers a data-sync
 */
export function createDefault(answerSync: Answer): Answer {
  return async (event) => {
    const { body = '', requestContext } = event;
    const { type, reason } = read(body);
    if (type === 'data-sync') return answerSync(event);
    return measureMessage(async (values) => {
      if (type === 'ping') return { statusCode: 200, body: PONG };
      if (type === AGENT_STATUS && requestContext.authorizer?.type === RELAY_TYPE) return NO_ANSWER;
      if (type === 'echo') return { statusCode: 200, body };
      values['websocket.messages.invalid'] = 1;
      log.info('message ignored', { reason, connectionId: requestContext.connectionId });
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
