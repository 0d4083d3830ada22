import { InvalidRequest, parseMessage } from '../../shared/protocol/message.ts';
import { log } from '../log.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';

/**
 * Takes every message that is no data-sync and no ping: an echo goes back as it came, anything else (unknown types,
 * text that is no message) is noted and gets silence, as in FeatBit.
 */
export async function handler(event: WebSocketEvent): Promise<WebSocketResult> {
  const { body = '', requestContext } = event;
  try {
    const { messageType } = parseMessage(body);
    if (messageType === 'echo') return { statusCode: 200, body };
    log.info('message ignored', { reason: 'unknown type', connectionId: requestContext.connectionId });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    log.info('message ignored', { reason: error.message, connectionId: requestContext.connectionId });
  }
  return SILENCE;
}
