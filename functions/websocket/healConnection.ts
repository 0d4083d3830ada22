import type { Connection } from '../../shared/store/connections/connection.ts';
import { isAnswered, isLeased, knownVersion } from '../../shared/store/connections/deliveryState.ts';
import type { UnansweredConnection } from '../../shared/store/connections/unanswered.ts';
import { countPosts } from '../gateway/connectionSender.ts';
import type { ManagementApi } from '../gateway/managementApi.ts';
import { log } from '../telemetry/log.ts';
import { AnswerSession } from './answer.ts';
import { type AnswerDeps, isTemporary } from './answerDeps.ts';
import { type Caller, readCaller } from './event.ts';
import { EVERYTHING, relayRequest } from './relayRequest.ts';
import { sdkRequest } from './sdkRequest.ts';

/**
 * How long one connection may take, in milliseconds: as long as a call of the function. Meanwhile no other call heals it, and
 * pushes wait.
 */
const HEALING_MS = 60_000;

/** Number of attempts without progress before a connection is given up. */
const MOST_ATTEMPTS = 5;

/** Advice for a connection that was given up. */
const WAY_OUT =
  'it is tried again after the next change, or when it connects anew; if its environment takes longer to send than a minute, ' +
  'make that smaller, let its SDK poll over HTTP, or run the host';

/** How long a table request is retried for one connection; the next call handles longer faults. */
const RETRY_MS = 2_000;

/** Dependencies of healing. */
export interface HealingDeps extends AnswerDeps {
  readonly ender: Pick<ManagementApi, 'end'>;
}

/** The outcome. `ended`: the connection was closed. `not needed`: it needs no answer, or another call answers it. */
export type HealOutcome = 'sent' | 'ended' | 'given up' | 'not needed';

/**
 * Heals a connection whose data-sync was not answered, or that deliveries could not reach:
 *
 * - A registered connection gets what it lacks, for its registered user.
 * - If no function got the data-sync, a server-side SDK gets everything. A client-side SDK is closed, because its user was in that
 *   message: it reconnects and asks again.
 * - An agent gets everything with the secrets, and everything again as changes.
 *
 * Agents and server-side SDKs are never closed: agents, and SDKs for Go and .NET, do not reconnect after 1000.
 *
 * If a call is too short, the next one continues. An attempt counts if it was killed, or if it sent something without progress. Each
 * doubles the pause; after five the connection is given up.
 *
 * @param deadline time until which it may send, unix milliseconds
 * @throws if it cannot be healed now
 */
export async function healConnection(
  deps: HealingDeps,
  note: UnansweredConnection,
  deadline: number,
): Promise<HealOutcome> {
  const { connections, ender, effects } = deps;
  const { unanswered } = connections;
  const { id, since, context, attempts = 0 } = note;
  const caller = readCaller(id, context, since);
  const [firstId = ''] = caller.envIds;
  const rows = await Promise.all(caller.envIds.map((envId) => connections.find(envId, id)));
  const asked = rows.flatMap((row) => (row && row.requestedAt >= since ? [row] : []));
  const requestedAt = Math.max(since, ...asked.map((row) => row.requestedAt));
  const isClient = caller.registration.type === 'client';
  if (asked.length === rows.length && asked.every(({ state }) => isAnswered(state))) {
    await unanswered.removeAnswered(id, requestedAt);
    return 'not needed';
  }
  const now = effects.now();
  if (asked.some(({ state }) => isLeased(state, now))) return 'not needed';
  if (attempts >= MOST_ATTEMPTS) {
    const envId = context['envId'] ?? context['envIds'];
    log.error('connection given up: it could not be answered', { connectionId: id, envId, wayOut: WAY_OUT });
    await unanswered.remove(id);
    return 'given up';
  }
  if (!(await unanswered.claim(id, now, now + HEALING_MS * 2 ** attempts))) return 'not needed';

  const sender = countPosts(deps.sender);
  try {
    if (isClient && asked.length === 0) {
      await ender.end(id);
      await Promise.all([unanswered.remove(id), rows[0] && connections.remove(firstId, id)]);
      return 'ended';
    }
    const noted = { ...caller, registration: { ...caller.registration, requestedAt }, isNoted: true };
    return await answerAgain({ ...deps, sender }, noted, asked[0], deadline);
  } catch (error) {
    const current = sender.counts.sent > 0 ? await connections.find(firstId, id) : undefined;
    if (sender.counts.sent === 0 || versionIn(current) > versionIn(rows[0])) await unanswered.uncount(id);
    throw error;
  }
}

/** @param asked the connection with its newest data-sync, if a function got one */
async function answerAgain(
  deps: AnswerDeps,
  caller: Caller,
  asked: Connection | undefined,
  deadline: number,
): Promise<HealOutcome> {
  const { unanswered } = deps.connections;
  const { id, relayEnvIds } = caller.registration;
  const time = { leaseMs: HEALING_MS, deadline, retryMs: RETRY_MS };
  try {
    const request = relayEnvIds
      ? await relayRequest(deps, caller, EVERYTHING, time)
      : sdkRequest(caller, { ...asked, timestamp: versionIn(asked) });
    const result = await new AnswerSession(deps, request, time).run();
    if (result.kind === 'gone') await unanswered.remove(id);
    if (result.kind !== 'answered') return 'not needed';
    await unanswered.removeAnswered(id, result.requestedAt);
    return 'sent';
  } catch (error) {
    if (isTemporary(error)) throw error;
    const { envId } = caller.context;
    log.warn('data-sync not answered', { reason: (error as Error).message, envId, connectionId: id });
    await unanswered.remove(id);
    return 'not needed';
  }
}

/** Version up to which a connection has everything. */
function versionIn(connection: Connection | undefined): number {
  return connection ? knownVersion(connection.state) : 0;
}
