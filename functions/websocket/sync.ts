import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { parseRelaySync } from '../../shared/protocol/relay.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerResult, AnswerSession } from './answer.ts';
import { type AnswerDeps, ignoreError } from './answerDeps.ts';
import { NO_ANSWER, readCaller, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { measureMessage } from './measure.ts';
import { relayRequest } from './relayRequest.ts';
import { sdkRequest } from './sdkRequest.ts';
import { SyncRate } from './syncRate.ts';

/** How long a data-sync is retried after its arrival; the function has 28 s. */
const RETRY_DEADLINE_MS = 20_000;

/** How long pushes wait for an answer; longer than the function may run. */
const LEASE_MS = 30_000;

/** Refusals without a pause after which a client-side SDK counts as looping: healing closes its connection. */
const LOOP_REFUSALS = 100;

/**
 * Creates the handler of `data-sync`. It posts the answer to the connection (answer.ts). The route itself returns nothing, because
 * the function cannot know when a route response is sent. Without changes, an answer takes three requests to DynamoDB and one to
 * API Gateway. The note for healing adds one DynamoDB request at a connection's first data-sync, and two at each later one.
 *
 * A failed data-sync is noted for healing (heal.ts), and so is a connection that asks more often than any SDK.
 */
export function createSync(deps: AnswerDeps) {
  const { effects } = deps;
  const { unanswered } = deps.connections;
  const rate = new SyncRate(effects.now);

  return (event: WebSocketEvent): Promise<WebSocketResult> =>
    measureMessage(async (values) => {
      const { connectionId, authorizer: context = {}, requestTimeEpoch: since } = event.requestContext;
      const about = { envId: context.envId, connectionId };
      const decision = rate.take(connectionId);
      if (decision.kind === 'refused') {
        const { times, isFirst } = decision;
        values['websocket.messages.invalid'] = 1;
        if (times === 1) log.warn('data-sync not answered', { reason: 'too many of one connection', ...about });
        // A data-sync that was admitted since the last refusal has removed the note.
        if (isFirst || times === LOOP_REFUSALS) await noteWaiting(times >= LOOP_REFUSALS);
        return NO_ANSWER;
      }
      try {
        const result = await answer();
        // If the other sender fails, healing finds the note.
        if (result.kind === 'left') await noteWaiting();
        // Its $disconnect may have come before its note was written.
        if (result.kind === 'gone') await unanswered.remove(connectionId).catch(ignoreError);
        if (result.kind === 'answered') {
          await forgetWaiting(result.requestedAt);
          values['sync.latency'] = effects.now() - result.requestedAt;
        }
      } catch (error) {
        if (error instanceof InvalidRequest) {
          values['websocket.messages.invalid'] = 1;
          log.warn('data-sync not answered', { reason: error.message, ...about });
          // An earlier data-sync may still wait for its answer.
          const row = context.envId && (await deps.connections.find(context.envId, connectionId).catch(() => true));
          if (!row) await forgetWaiting(since);
        } else {
          values['websocket.connections.errors'] = 1;
          log.error('data-sync failed', { error: error as Error, ...about });
          await noteWaiting();
        }
      }
      return NO_ANSWER;

      async function answer(): Promise<AnswerResult> {
        const time = { leaseMs: LEASE_MS, deadline: since + RETRY_DEADLINE_MS };
        const { data } = parseMessage(event.body ?? '');
        const caller = readCaller(connectionId, context, since);
        const { type, relayEnvIds } = caller.registration;
        const request = relayEnvIds
          ? await relayRequest(deps, caller, [parseRelaySync(data)], time)
          : sdkRequest(caller, parseDataSync(data, type));
        return new AnswerSession(deps, request, time).run();
      }

      /** Notes that the connection waits for an answer. If that fails, the connection is answered when it asks again. */
      async function noteWaiting(isLoop = false): Promise<void> {
        if (!context.type) return;
        const note = { id: connectionId, since, context: { ...context }, isLoop: isLoop && context.type === 'client' };
        await unanswered.note(note).catch(ignoreError);
      }

      /** Removes the note, unless a later data-sync wrote it. If that fails, healing finds the connection answered. */
      async function forgetWaiting(answeredTo: number): Promise<void> {
        await unanswered.removeAnswered(connectionId, answeredTo).catch(ignoreError);
      }
    });
}
