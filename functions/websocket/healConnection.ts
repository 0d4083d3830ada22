import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import { isAnswered, isLeased } from '../../shared/store/deliveryState.ts';
import type { Unanswered } from '../../shared/store/unanswered.ts';
import type { ConnectionEnder } from '../push/connectionEnder.ts';
import { log } from '../telemetry/log.ts';
import { type AnswerTime, answerDataSync, isTemporary, readCaller } from './answer.ts';
import { healRelay, type RelayDeps } from './relay.ts';

/**
 * How long one connection may take, in milliseconds: as long as a call of the function. Nobody else takes it on meanwhile,
 * and pushes wait for it.
 */
const HEALING_MS = 60_000;

/** For how long requests to the table are retried for one connection: the next call waits out longer faults. */
const RETRY_DEADLINE_MS = 2_000;

/** What healing needs. */
export interface HealingDeps extends RelayDeps {
  readonly ender: ConnectionEnder;
}

/** What became of it: sent everything, ended, or neither, as that was not needed or another call is doing it. */
export type HealOutcome = 'sent' | 'ended' | undefined;

/**
 * Heals a connection whose data-sync was not answered. One that had registered before its answer failed is sent everything,
 * for the user it registered with. Where the data-sync never came to a function, a server-side SDK is sent everything too; a
 * client-side one is ended, as its user was in that message: it comes back and asks again. A client-side one that asks in a
 * loop is ended too. Server-side ones are never ended, as those for Go and .NET do not come back after 1000.
 *
 * @throws when it cannot be healed now
 */
export async function healConnection(deps: HealingDeps, note: Unanswered): Promise<HealOutcome> {
  const { connections, ender, effects } = deps;
  const { id, since, context } = note;
  const now = effects.now();
  const time: AnswerTime = { leaseMs: HEALING_MS, deadline: now + RETRY_DEADLINE_MS };
  if (context['type'] === RELAY_TYPE) return healRelay(deps, note, time);
  const caller = readCaller(id, context, since);
  const { envId, type } = caller;
  const found = await connections.find(envId, id);
  const asked = found && found.requestedAt >= since ? found : undefined;
  // A deployment before this one noted it for server-side SDKs too.
  const isLoop = type === 'client' && context['isLoop'] !== undefined;
  if (asked && isAnswered(asked.state) && !isLoop) {
    await connections.unanswered.removeAnswered(id, asked.requestedAt);
    return undefined;
  }
  if (asked && isLeased(asked.state, now) && !isLoop) return undefined;
  if (!(await connections.unanswered.claim(id, now, now + HEALING_MS))) return undefined;
  if (isLoop || (type === 'client' && !asked)) {
    await ender.end(id);
    await Promise.all([connections.unanswered.remove(id), found && connections.remove(envId, id)]);
    return 'ended';
  }
  try {
    const request = { timestamp: 0, ...(asked?.user && { user: asked.user }) };
    const result = await answerDataSync(deps, { ...caller, requestedAt: asked?.requestedAt ?? since }, request, time);
    if (result.kind === 'gone') await Promise.all([connections.remove(envId, id), connections.unanswered.remove(id)]);
    if (result.kind === 'answered') await connections.unanswered.removeAnswered(id, result.requestedAt);
    return result.kind === 'answered' ? 'sent' : undefined;
  } catch (error) {
    if (isTemporary(error)) throw error;
    log.warn('data-sync not answered', { reason: (error as Error).message, envId, connectionId: id });
    await connections.unanswered.remove(id);
    return undefined;
  }
}
