import { InvalidRequest, parseMessage } from '../../shared/protocol/message.ts';
import { ambient } from '../environment.ts';
import { log } from '../log.ts';
import { SILENCE, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';

/**
 * Takes every message that is no data-sync and no ping: an echo goes back as it came, anything else (unknown types,
 * text that is no message) is noted and gets silence, as in FeatBit.
 */
export function handler(event: WebSocketEvent): Promise<WebSocketResult> {
  return measureMessage(event, ambient.now, async (values) => {
    const { body = '', requestContext } = event;
    const reason = reasonToIgnore(body);
    if (reason === undefined) return { statusCode: 200, body };
    values['websocket.messages.invalid'] = 1;
    log.info('message ignored', { reason, connectionId: requestContext.connectionId });
    return SILENCE;
  });
}

/** @returns undefined for an echo */
function reasonToIgnore(body: string): string | undefined {
  try {
    return parseMessage(body).messageType === 'echo' ? undefined : 'unknown type';
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.message;
  }
}
