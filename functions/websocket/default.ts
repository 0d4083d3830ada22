import { InvalidRequest, PONG, parseMessage } from '../../shared/protocol/message.ts';
import { log } from '../telemetry/log.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';

/** Answers a message. */
type Answer = (event: WebSocketEvent) => Promise<WebSocketResult>;

/**
 * Makes the handler of every message that no route is for. An echo goes back as it came; a ping or a data-sync comes here
 * where its type is not spelled as the routes are, which FeatBit does not mind, and is answered like any other. The rest
 * (unknown types, text that is no message) is noted and gets silence, as in FeatBit.
 *
 * @param answerSync answers a data-sync
 */
export function createDefault(answerSync: Answer, now: () => number): Answer {
  return async (event) => {
    const { body = '', requestContext } = event;
    const { type, reason } = read(body);
    if (type === 'data-sync') return answerSync(event);
    return measureMessage(event, now, async (values) => {
      if (type === 'ping') return { statusCode: 200, body: PONG };
      if (type === 'echo') return { statusCode: 200, body };
      values['websocket.messages.invalid'] = 1;
      log.info('message ignored', { reason, connectionId: requestContext.connectionId });
      return SILENCE;
    });
  };
}

/** A message's type in lower case; none, and the reason, where it is no message. */
function read(body: string): { readonly type?: string; readonly reason: string } {
  try {
    return { type: parseMessage(body).messageType, reason: 'unknown type' };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return { reason: error.message };
  }
}
