import { ItemTooLarge } from '../../shared/delivery/split.ts';
import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { parseRelaySync, RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connections } from '../../shared/store/connections.ts';
import type { ConnectionSender } from '../push/connectionSender.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerParts, keepNote, prepareAnswer, readCaller } from './answer.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { type PartedReply, sendInParts } from './parts.ts';
import { answerRelay, type RelayParts, readRelayCaller } from './relay.ts';
import { SyncRate } from './syncRate.ts';

/** How long after its arrival a request is retried: API Gateway waits 29 s for an answer. */
const PATIENCE_MS = 20_000;

/** For how long pushes wait for an answer: longer than the function may run. */
const BUSY_MS = 30_000;

/** What answering a data-sync needs. */
interface SyncParts extends Omit<AnswerParts, 'busyMs' | 'isPosted'> {
  readonly connections: AnswerParts['connections'] & PartedReply['connections'] & Pick<Connections, 'unanswered'>;
  readonly relays: RelayParts['relays'];
  readonly sender: ConnectionSender;
}

/**
 * Makes the handler of `data-sync`: register the connection, then read the environment, then answer, in this order, so
 * that no change is lost between the answer and pushes. While nothing changes this takes three requests to DynamoDB, and
 * for a connection's first answer four. A data-sync that is handled after a newer one of its connection is not answered.
 *
 * The answer is the route's response, unless it is too large for one message: then it is sent in several. One that fails
 * is left to healing (heal.ts), and so are those of a connection that asks more often than any SDK does.
 */
export function createSync(parts: SyncParts) {
  const rate = new SyncRate(parts.now);
  return (event: WebSocketEvent): Promise<WebSocketResult> =>
    measureMessage(async (values) => {
      const { connectionId, authorizer: context = {}, requestTimeEpoch: since } = event.requestContext;
      const { unanswered } = parts.connections;
      const forget = () => unanswered.remove(connectionId).catch(keepNote);
      const about = { envId: context.envId, connectionId };
      const note = async () => {
        if (context.type) await unanswered.note({ id: connectionId, since, context: { ...context } }).catch(() => {});
      };
      const asked = rate.take(connectionId);
      if (asked !== 'answer') {
        values['websocket.messages.invalid'] = 1;
        if (asked === 'first refused') {
          log.warn('data-sync not answered', { reason: 'too many of one connection', ...about });
          await note();
        }
        return NO_ANSWER;
      }
      try {
        if (context.type === RELAY_TYPE) {
          const request = parseRelaySync(parseMessage(event.body ?? '').data);
          const relay = readRelayCaller(connectionId, context, since);
          const sent = await answerRelay({ ...parts, busyMs: BUSY_MS }, relay, [request], since + PATIENCE_MS);
          if (sent === 'all') await forget();
          values['sync.latency'] = parts.now() - since;
          return NO_ANSWER;
        }
        const caller = readCaller(connectionId, context, since);
        const request = parseDataSync(parseMessage(event.body ?? '').data, caller.type);
        const deadline = caller.requestedAt + PATIENCE_MS;
        const answer = await prepareAnswer({ ...parts, busyMs: BUSY_MS }, caller, request, deadline);
        if (!answer) return NO_ANSWER;
        const [whole] = answer.messages;
        const isSent =
          answer.isNoted || (await sendInParts({ ...parts, ...answer, envId: caller.envId, deadline })) === 'all';
        if (isSent && answer.isAwaited) await forget();
        values['sync.latency'] = parts.now() - caller.requestedAt;
        if (answer.isNoted && whole !== undefined) return { statusCode: 200, body: whole };
      } catch (error) {
        if (error instanceof InvalidRequest || error instanceof ItemTooLarge) {
          values['websocket.messages.invalid'] = 1;
          log.warn('data-sync not answered', { reason: error.message, ...about });
          await forget();
        } else {
          values['websocket.connections.errors'] = 1;
          log.error('data-sync failed', { error: error as Error, ...about });
          await note();
        }
      }
      return NO_ANSWER;
    });
}
