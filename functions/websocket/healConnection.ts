import { RELAY_TYPE } from '../../shared/protocol/relay.ts';
import type { Connection } from '../../shared/store/connection.ts';
import { isAnswered, isLeased, knownVersion } from '../../shared/store/deliveryState.ts';
import type { Unanswered } from '../../shared/store/unanswered.ts';
import type { ConnectionEnder } from '../push/connectionEnder.ts';
import { countPosts } from '../push/connectionSender.ts';
import { log } from '../telemetry/log.ts';
import { answerDataSync, type Caller, readCaller } from './answer.ts';
import { type AnswerTime, isTemporary } from './answerSteps.ts';
import { healRelay, type RelayDeps } from './relay.ts';

/**
 * How long one connection may take, in milliseconds: as long as a call of the function. Nobody else takes it on meanwhile,
 * and pushes wait for it.
 */
const HEALING_MS = 60_000;

/** How often a connection is tried whose attempts cost something and bring it no further. */
const MOST_ATTEMPTS = 5;

/** What an operator may do for a connection that was given up. */
const WAY_OUT =
  'it is tried again after the next change, or when it connects anew; if its environment takes longer to send than a minute, ' +
  'make that smaller, let its SDK poll over HTTP, or run the host';

/** For how long a request to the table is retried for one connection: the next call waits out longer faults. */
const RETRY_MS = 2_000;

/** What healing needs. */
export interface HealingDeps extends RelayDeps {
  readonly ender: ConnectionEnder;
}

/** What became of it: sent everything, ended, given up, or none, as that was not needed or another call is doing it. */
export type HealOutcome = 'sent' | 'ended' | 'given up' | undefined;

/** Takes a connection on, unless somebody else has, or it was tried often enough. */
type BeginAttempt = () => Promise<'begun' | 'given up' | undefined>;

/**
 * Heals a connection whose data-sync was not answered, or that deliveries could not reach. One that had registered is sent
 * what it lacks, for the user it registered with. Where the data-sync never came to a function, a server-side SDK is sent everything too; a
 * client-side one is ended, as its user was in that message: it comes back and asks again. A client-side one that asks in a
 * loop is ended too. Server-side ones are never ended, as those for Go and .NET do not come back after 1000.
 *
 * What takes longer than a call goes on in the next one where it was. An attempt counts that was killed, or that sent something
 * and brought the connection no further. After each of those the pause is twice as long, and after five of them it is given up.
 *
 * @param deadline until when it may send, unix milliseconds
 * @throws when it cannot be healed now
 */
export async function healConnection(deps: HealingDeps, note: Unanswered, deadline: number): Promise<HealOutcome> {
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
  { id, since, context }: Unanswered,
  caller: Caller,
  found: Connection | undefined,
  time: AnswerTime,
  begin: BeginAttempt,
): Promise<HealOutcome> {
  const { connections, ender, effects } = deps;
  const { envId, type } = caller;
  const asked = found && found.requestedAt >= since ? found : undefined;
  // A deployment before this one noted it for server-side SDKs too.
  const isLoop = type === 'client' && context['isLoop'] !== undefined;
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
  { id, context, attempts = 0 }: Unanswered,
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

/** Up to which version a connection has everything. */
function versionIn(connection: Connection | undefined): number {
  return connection ? knownVersion(connection.state) : 0;
}
