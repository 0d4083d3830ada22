import { ItemTooLarge } from '../../shared/delivery/split.ts';
import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { parseRelaySync, RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerResult, answerDataSync, readCaller } from './answer.ts';
import { type AnswerTime, ignoreError } from './answerSteps.ts';
import { NO_ANSWER, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { answerRelay, type RelayDeps, readRelayCaller } from './relay.ts';
import { type RateDecision, SyncRate } from './syncRate.ts';

/** How long after its arrival a request is retried: the function has 28 s. */
const RETRY_DEADLINE_MS = 20_000;

/** How long pushes wait for an answer: longer than the function may run. */
const LEASE_MS = 30_000;

/** A client-side SDK that was refused so often without a pause asks in a loop: healing ends its connection. */
const LOOP_REFUSALS = 100;

/**
 * Makes the handler of `data-sync`. The answer is posted to the connection (answer.ts); the route itself answers nothing,
 * since a route's response leaves at a time that its function cannot know. While nothing changes, an answer takes three
 * requests to DynamoDB and one to API Gateway. The note for healing costs one more to DynamoDB at a connection's first
 * data-sync, which connect.ts has noted, and two at each later one.
 *
 * A data-sync that fails is noted for healing (heal.ts), and so is one of a connection that asks more often than any SDK.
 */
export function createSync(deps: RelayDeps) {
  const { effects } = deps;
  const { unanswered } = deps.connections;
  const rate = new SyncRate(effects.now);

  return (event: WebSocketEvent): Promise<WebSocketResult> =>
    measureMessage(async (values) => {
      const { connectionId, authorizer: context = {}, requestTimeEpoch: since } = event.requestContext;
      const about = { envId: context.envId, connectionId };
      const decision = rate.take(connectionId);
      if (decision.kind === 'refused') {
        values['websocket.messages.invalid'] = 1;
        await refuse(decision);
        return NO_ANSWER;
      }
      try {
        const result = await answer();
        // The sender that this request was left to may fail: then healing finds the note.
        if (result.kind === 'left') await noteWaiting();
        // Its disconnect may have come before its note.
        if (result.kind === 'gone') await unanswered.remove(connectionId).catch(ignoreError);
        if (result.kind === 'answered') {
          await forgetWaiting(result.requestedAt);
          values['sync.latency'] = effects.now() - result.requestedAt;
        }
      } catch (error) {
        if (error instanceof InvalidRequest || error instanceof ItemTooLarge) {
          values['websocket.messages.invalid'] = 1;
          log.warn('data-sync not answered', { reason: error.message, ...about });
          if (error instanceof ItemTooLarge || !(await hasAskedBefore())) await forgetWaiting(since);
        } else {
          values['websocket.connections.errors'] = 1;
          log.error('data-sync failed', { error: error as Error, ...about });
          await noteWaiting();
        }
      }
      return NO_ANSWER;

      function answer(): Promise<AnswerResult> {
        const time: AnswerTime = { leaseMs: LEASE_MS, deadline: since + RETRY_DEADLINE_MS };
        const { data } = parseMessage(event.body ?? '');
        if (context.type === RELAY_TYPE) {
          return answerRelay(deps, readRelayCaller(connectionId, context, since), [parseRelaySync(data)], time);
        }
        const caller = readCaller(connectionId, context, since);
        return answerDataSync(deps, caller, parseDataSync(data, caller.type), time);
      }

      /** Whether an earlier data-sync of the connection may still wait for its answer. */
      async function hasAskedBefore(): Promise<boolean> {
        const row = context.envId && (await deps.connections.find(context.envId, connectionId).catch(() => true));
        return Boolean(row);
      }

      async function refuse({ times, isFirst }: Extract<RateDecision, { kind: 'refused' }>): Promise<void> {
        if (times === 1) log.warn('data-sync not answered', { reason: 'too many of one connection', ...about });
        // One that was admitted since the last refusal has removed that one's note.
        if (isFirst || times === LOOP_REFUSALS) await noteWaiting(times >= LOOP_REFUSALS);
      }

      /** Notes that the connection waits for an answer. Without the note it is answered when it asks again. */
      async function noteWaiting(isLoop = false): Promise<void> {
        if (!context.type) return;
        const loop = isLoop && context.type === 'client' ? { isLoop: 'true' } : {};
        await unanswered.note({ id: connectionId, since, context: { ...context, ...loop } }).catch(ignoreError);
      }

      /** Removes that note, unless a later data-sync left it. Where this fails, healing finds the connection answered. */
      async function forgetWaiting(answeredTo: number): Promise<void> {
        await unanswered.removeAnswered(connectionId, answeredTo).catch(ignoreError);
      }
    });
}
