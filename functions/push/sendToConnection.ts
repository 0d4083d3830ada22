import { patchFor } from '../../shared/delivery/patch.ts';
import { isCurrent, type Push } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { Connection } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isUnanswered, type PushAccess, pushAccess } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import type { CallTime } from './callTime.ts';
import type { ConnectionSender } from './connectionSender.ts';
import { messageLimit } from './messageLimit.ts';

/** How often changes are sent again to a connection that asks for another user while they are sent. */
const REPEATS = 3;

/** What sending needs. */
export interface SenderDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states'>;
  readonly sender: ConnectionSender;
  readonly time: CallTime;
  readonly now: () => number;
}

/** A fan-out: changes of an environment for connections, and what else these may be owed. */
export interface FanOut {
  readonly envId: string;
  /** The version that connections are at once they have the changes. */
  readonly version: number;
  readonly pushes: readonly Push[];
  /** All changes after one version up to the fan-out's, for connections that are behind. */
  readonly since: (version: number) => Promise<readonly Push[]>;
  /** The environment as of now. */
  readonly latest: () => Promise<Snapshot>;
}

/** What became of sending to a connection. */
export interface SendResult {
  readonly connection: Connection;
  /** What may have reached it, ascending. */
  readonly sent: readonly Push[];
  /** Version of the last change that it was owed and sent; 0 when there was none. */
  readonly sentTo: number;
  /** Version of the first change that it was not sent; why it could not be, or nothing where time had ended. */
  readonly unsent?: { readonly at: number; readonly error?: unknown };
}

/** A connection that may be sent to, and how. */
interface Ready {
  readonly connection: Connection;
  readonly access: Extract<PushAccess, { version: number }>;
}

/**
 * Sends a connection, in order, what it is owed; or leaves that to the sender that is answering it.
 *
 * @returns undefined when there is nothing to note of the connection
 */
export async function sendToConnection(
  deps: SenderDeps,
  fanOut: FanOut,
  registered: Connection,
): Promise<SendResult | undefined> {
  const { connections, sender, time } = deps;
  const { envId, version } = fanOut;
  const ready = await readyToSend(deps, fanOut, registered);
  if (!ready) return undefined;

  const { connection, access } = ready;
  const isBehind = access.kind === 'send missed';
  const owed = isBehind
    ? await fanOut.since(access.version)
    : fanOut.pushes.filter((push) => push.updatedAt > access.version || isMistakable(connection, push));
  const sent: Push[] = [];
  let sentTo = 0;
  let latest: Snapshot | undefined;
  for (const push of owed) {
    const isRepeat = push.updatedAt <= access.version;
    if (isRepeat) {
      // The reply may have held its successor already; SDKs take nothing older after that.
      latest ??= await fanOut.latest();
      if (!isCurrent(push, latest)) continue;
    }
    const message = patchFor(push.source, connection, messageLimit(envId));
    if (message === undefined) continue;
    if (!time.mayPost()) return { connection, sent, sentTo, unsent: { at: push.updatedAt } };
    sent.push(push);
    try {
      if ((await sender.post(connection.id, message)) === 'gone') {
        await connections.remove(envId, connection.id);
        return undefined;
      }
    } catch (error) {
      return { connection, sent, sentTo, unsent: { at: push.updatedAt, error } };
    }
    if (!isRepeat) sentTo = push.updatedAt;
  }
  if (isBehind) {
    const { states } = connections;
    if (isUnanswered(connection.state)) await states.markBehind(envId, connection, version, 'unanswered');
    else await states.markCurrent(envId, connection, version);
  }
  return { connection, sent, sentTo };
}

/** @returns undefined when nothing is to be sent: the sender that is answering the connection sends it, or nobody may */
async function readyToSend(
  { connections, now }: SenderDeps,
  { envId, version, pushes }: FanOut,
  registered: Connection,
): Promise<Ready | undefined> {
  const access = pushAccess(registered.state, now());
  if (access.kind === 'skip') return undefined;
  if (access.kind !== 'leave') return { connection: registered, access };
  const isRepeat = pushes.some((push) => isMistakable(registered, push));
  if (await connections.states.leave(envId, registered, version, isRepeat)) return undefined;

  const connection = await connections.find(envId, registered.id);
  // An answer that was begun since then holds the changes, as it reads the environment later.
  if (!connection || connection.answerId !== registered.answerId) return undefined;
  const later = pushAccess(connection.state, now());
  return later.kind === 'skip' || later.kind === 'leave' ? undefined : { connection, access: later };
}

/**
 * Whether a change may have been sent to a connection before, for an earlier user that the SDK cannot tell from this one
 * (docs/decisions/0003-snapshots.md). Then it is sent again.
 */
function isMistakable({ type, hasAskedBefore }: Connection, { isRetry }: Push): boolean {
  return isRetry === true && type === 'client' && hasAskedBefore === true;
}

/**
 * Sends changes again to a connection that has asked for another user since they were made. A reply that it asks for from
 * now on comes later and holds everything (websocket/answer.ts); one that it asked for before may have come earlier.
 */
export async function sendAgain(
  deps: SenderDeps,
  fanOut: FanOut,
  sent: readonly Push[],
  seen: Connection,
): Promise<SendResult | undefined> {
  const { connections, now } = deps;
  const { envId } = fanOut;
  const pushes = sent.map((push) => ({ ...push, isRetry: true }));
  let current = seen;
  for (let times = 0; times < REPEATS; times++) {
    const result = await sendToConnection(deps, { ...fanOut, pushes }, current);
    if (!result || result.unsent) return result;
    const found = await connections.find(envId, current.id);
    if (!found || !hasOtherUser(result.connection, found)) return undefined;
    current = found;
  }
  log.warn('changes not sent: the connection keeps asking for other users', { envId, connectionId: seen.id });
  const isAnswering = pushAccess(current.state, now()).kind === 'leave';
  if (isAnswering && (await connections.states.leave(envId, current, fanOut.version, true))) return undefined;
  await connections.states.markBehind(envId, current, (pushes[0] as Push).updatedAt - 1, 'interrupted');
  return undefined;
}

/** Whether a connection evaluates for another user than when it was read before. */
export function hasOtherUser(before: Connection, now: Connection): boolean {
  return !isSameUser(before.user, now.user);
}
