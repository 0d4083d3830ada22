import { InvalidRequest, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import { parseRelaySync } from '../../shared/protocol/relay.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { log } from '../telemetry/log.ts';
import { type MetricValues, recordMetrics } from '../telemetry/metrics.ts';
import { type AnswerResult, AnswerSession } from './answer.ts';
import { type AnswerDeps, ignoreError } from './answerDeps.ts';
import { NO_ANSWER, readCaller, type WebSocketEvent, type WebSocketResult } from './event.ts';
import { relayRequest } from './relayRequest.ts';
import { sdkRequest } from './sdkRequest.ts';
import { SyncRate } from './syncRate.ts';

/** How long a data-sync is retried after its arrival; the function has 28 s. */
const RETRY_DEADLINE_MS = 20_000;

/** How long pushes wait for an answer; longer than the function may run. */
const LEASE_MS = 30_000;

/** What became of a data-sync: the outcome of its answer, or why it was not answered. */
type SyncOutcome =
  | AnswerResult
  | { readonly kind: 'refused first' | 'refused again' }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * Creates the handler of `data-sync`. It posts the answer to the connection (answer.ts). The route itself returns nothing, because
 * the function cannot know when a route response is sent. Without changes, an answer takes three requests to DynamoDB and one to
 * API Gateway. The note for healing adds one DynamoDB request at a connection's first data-sync, and two at each later one.
 *
 * A failed data-sync is noted for healing (heal.ts), and so is one of a connection that asks more often than any SDK.
 */
export function createSync(deps: AnswerDeps) {
  const { now } = deps.effects;
  const rate = new SyncRate(now);
  const limitedLog = new LimitedLog(now);
  return async (event: WebSocketEvent): Promise<WebSocketResult> => {
    const decision = rate.take(event.requestContext.connectionId);
    const outcome = decision === 'admitted' ? await answerSync(deps, event) : { kind: decision };
    recordMetrics(await settle({ ...deps, limitedLog }, event, outcome));
    return NO_ANSWER;
  };
}

async function answerSync(deps: AnswerDeps, { requestContext, body }: WebSocketEvent): Promise<SyncOutcome> {
  const { connectionId, authorizer = {}, requestTimeEpoch: since } = requestContext;
  try {
    const time = { leaseMs: LEASE_MS, deadline: since + RETRY_DEADLINE_MS };
    const { data } = parseMessage(body ?? '');
    const caller = readCaller(connectionId, authorizer, since);
    const { type, relayEnvIds } = caller.registration;
    const request = relayEnvIds
      ? await relayRequest(deps, caller, [parseRelaySync(data)], time)
      : sdkRequest(caller, parseDataSync(data, type));
    return await new AnswerSession(deps, request, time).run();
  } catch (error) {
    return error instanceof InvalidRequest
      ? { kind: 'invalid', reason: error.message }
      : { kind: 'failed', error: error as Error };
  }
}

/**
 * Notes a connection that waits for an answer, removes the note of one that does not, and logs what was not answered. If the table
 * fails, a missing note lets the connection wait until it asks again, and healing finds a remaining one answered.
 *
 * @returns metrics of the outcome
 */
async function settle(
  { connections, effects, limitedLog }: AnswerDeps & { readonly limitedLog: LimitedLog },
  { requestContext }: WebSocketEvent,
  outcome: SyncOutcome,
): Promise<MetricValues> {
  const { unanswered } = connections;
  const { connectionId: id, authorizer: context = {}, requestTimeEpoch: since } = requestContext;
  const about = { envId: context.envId, connectionId: id };
  const note = async () => {
    if (context.type) await unanswered.note({ id, since, context: { ...context } }).catch(ignoreError);
  };
  switch (outcome.kind) {
    case 'answered':
      // A later data-sync keeps its note.
      await unanswered.removeAnswered(id, outcome.requestedAt).catch(ignoreError);
      return { 'sync.latency': effects.now() - outcome.requestedAt };
    case 'left':
      // If the other sender fails, healing finds the note.
      await note();
      return {};
    case 'outdated':
      return {};
    case 'gone':
      // Its $disconnect may have come before its note was written.
      await unanswered.remove(id).catch(ignoreError);
      return {};
    case 'refused first':
      limitedLog.warn('data-sync not answered', { reason: 'too many of one connection', ...about });
      // A data-sync that was admitted since the last refusal has removed the note.
      await note();
      return { 'websocket.messages.invalid': 1 };
    case 'refused again':
      return { 'websocket.messages.invalid': 1 };
    case 'invalid': {
      log.warn('data-sync not answered', { reason: outcome.reason, ...about });
      // An earlier data-sync may still wait for its answer.
      const row = context.envId && (await connections.find(context.envId, id).catch(() => true));
      if (!row) await unanswered.removeAnswered(id, since).catch(ignoreError);
      return { 'websocket.messages.invalid': 1 };
    }
    case 'failed':
      log.error('data-sync failed', { error: outcome.error, ...about });
      await note();
      return { 'websocket.connections.errors': 1 };
  }
}
