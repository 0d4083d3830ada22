import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import { isAnswered, isLeased, knownVersion } from '../../shared/store/connections/deliveryState.ts';
import type { UnansweredConnection } from '../../shared/store/connections/unanswered.ts';
import type { ConnectionEnder } from '../gateway/connectionEnder.ts';
import { countPosts } from '../gateway/connectionSender.ts';
import { log } from '../telemetry/log.ts';
import { answerDataSync, type Caller, readCaller } from './answer.ts';
import { type AnswerTime, isTemporary } from './answerSteps.ts';
import { healRelay, type RelayDeps } from './relay.ts';

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
export interface HealingDeps extends RelayDeps {
  readonly ender: ConnectionEnder;
}

/** The outcome: everything sent, connection closed, given up, or nothing to do (not needed, or another call does it). */
export type HealOutcome = 'sent' | 'ended' | 'given up' | undefined;

/** Claims a connection, unless another call has it, or it was tried too often. */
type BeginAttempt = () => Promise<'begun' | 'given up' | undefined>;

/**
 * Heals a connection whose data-sync was not answered, or that deliveries could not reach:
 *
 * - A registered connection gets what it lacks, for its registered user.
 * - If no function got the data-sync, a server-side SDK gets everything. A client-side SDK is closed, because its user was in that
 *   message: it reconnects and asks again.
 * - A client-side SDK that asks in a loop is closed too.
 *
 * Server-side SDKs are never closed: those for Go and .NET do not reconnect after 1000.
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
  const { connections } = deps;
  const { id, since, context } = note;
  const sender = countPosts(deps.sender);
  const begin = () => beginAttempt(deps, note);
  const time: AnswerTime = { leaseMs: HEALING_MS, deadline, retryMs: RETRY_MS };
  const isRelay = context['type'] === RELAY_TYPE;
  const caller = isRelay ? undefined : readCaller(id, context, since);
  const found = caller && (await connections.find(caller.envId, id));
  try {
    return caller
      ? await healSdk({ ...deps, sender }, note, caller, found, time, begin)
      : await healRelay({ ...deps, sender }, note, time, begin);
  } catch (error) {
    const now = caller && sender.counts.sent > 0 ? await connections.find(caller.envId, id) : undefined;
    if (sender.counts.sent === 0 || versionIn(now) > versionIn(found)) await connections.unanswered.uncount(id);
    throw error;
  }
}

async function healSdk(
  deps: HealingDeps,
  note: UnansweredConnection,
  caller: Caller,
  found: Connection | undefined,
  time: AnswerTime,
  begin: BeginAttempt,
): Promise<HealOutcome> {
  const { connections, ender, effects } = deps;
  const { id, since } = note;
  const { envId, type } = caller;
  const asked = found && found.requestedAt >= since ? found : undefined;
  // An earlier release noted it for server-side SDKs too.
  const isLoop = type === 'client' && note.isLoop === true;
  if (asked && isAnswered(asked.state) && !isLoop) {
    await connections.unanswered.removeAnswered(id, asked.requestedAt);
    return undefined;
  }
  if (asked && isLeased(asked.state, effects.now()) && !isLoop) return undefined;
  const begun = await begin();
  if (begun !== 'begun') return begun;
  if (isLoop || (type === 'client' && !asked)) {
    await ender.end(id);
    await Promise.all([connections.unanswered.remove(id), found && connections.remove(envId, id)]);
    return 'ended';
  }
  try {
    const request = { timestamp: versionIn(asked), ...(asked?.user && { user: asked.user }) };
    const requestedAt = asked?.requestedAt ?? since;
    const result = await answerDataSync(deps, { ...caller, requestedAt, isNoted: true }, request, time);
    if (result.kind === 'gone') await connections.unanswered.remove(id);
    if (result.kind === 'answered') await connections.unanswered.removeAnswered(id, result.requestedAt);
    return result.kind === 'answered' ? 'sent' : undefined;
  } catch (error) {
    if (isTemporary(error)) throw error;
    log.warn('data-sync not answered', { reason: (error as Error).message, envId, connectionId: id });
    await connections.unanswered.remove(id);
    return undefined;
  }
}

async function beginAttempt(
  { connections: { unanswered }, effects }: HealingDeps,
  { id, context, attempts = 0 }: UnansweredConnection,
): ReturnType<BeginAttempt> {
  if (attempts >= MOST_ATTEMPTS) {
    const { envId, envIds } = context;
    log.error('connection given up: it could not be answered', {
      connectionId: id,
      envId: envId ?? envIds,
      wayOut: WAY_OUT,
    });
    await unanswered.remove(id);
    return 'given up';
  }
  const now = effects.now();
  return (await unanswered.claim(id, now, now + HEALING_MS * 2 ** attempts)) ? 'begun' : undefined;
}

/** Version up to which a connection has everything. */
function versionIn(connection: Connection | undefined): number {
  return connection ? knownVersion(connection.state) : 0;
}
