import { parsePatchContents } from '../../shared/delivery/sdk.ts';
import { ItemTooLarge } from '../../shared/delivery/split.ts';
import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { SECRET_TYPES } from '../../shared/protocol/secret.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerParts, type Caller, prepareAnswer } from './answer.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { type PartedReply, sendInParts } from './parts.ts';

/** How long after its arrival a request is retried: API Gateway waits 29 s for an answer. */
const PATIENCE_MS = 20_000;

/** What answering a data-sync needs. */
interface SyncParts extends AnswerParts {
  readonly connections: AnswerParts['connections'] & PartedReply['connections'];
  readonly sender: ConnectionSender;
}

/**
 * Makes the handler of `data-sync`: register the connection, then read the environment, then answer, in this order, so
 * that no change is lost between the answer and pushes. While nothing changes this takes two requests to DynamoDB. A
 * data-sync that is handled after a newer one of its connection is not answered.
 *
 * The answer is the route's response, unless it is too large for one message: then it is sent in several.
 */
export function createSync(parts: SyncParts) {
  return (event: WebSocketEvent): Promise<WebSocketResult> =>
    measureMessage(event, parts.now, async (values) => {
      const { connectionId, authorizer } = event.requestContext;
      const about = { envId: authorizer?.envId, connectionId };
      try {
        const caller = readCaller(event);
        const request = parseDataSync(parseMessage(event.body ?? '').data, caller.type);
        const deadline = caller.requestedAt + PATIENCE_MS;
        const answer = await prepareAnswer(parts, caller, request, deadline);
        if (!answer) return NO_ANSWER;
        const [whole] = answer.messages;
        const isWhole = whole !== undefined && answer.messages.length === 1;
        if (!isWhole) await sendInParts({ ...parts, ...answer, envId: caller.envId, deadline });
        values['sync.latency'] = parts.now() - caller.requestedAt;
        if (isWhole) return { statusCode: 200, body: whole };
      } catch (error) {
        if (error instanceof InvalidRequest || error instanceof ItemTooLarge) {
          values['websocket.messages.invalid'] = 1;
          log.warn('data-sync not answered', { reason: error.message, ...about });
        } else {
          values['websocket.connections.errors'] = 1;
          log.error('data-sync failed', { error: error as Error, ...about });
        }
      }
      return NO_ANSWER;
    });
}

function readCaller({ requestContext: { connectionId, authorizer, requestTimeEpoch } }: WebSocketEvent): Caller {
  const type = SECRET_TYPES.find((known) => known === authorizer?.type);
  if (!type || !authorizer?.envId) throw new Error('the context of the connect authorizer is missing');
  const { envId, secretId } = authorizer;
  const patchContents = parsePatchContents(authorizer.patchContents);
  return { connectionId, envId, type, secretId, patchContents, requestedAt: requestTimeEpoch };
}
