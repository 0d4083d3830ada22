import { patchFor } from '../../shared/delivery/patch.ts';
import { isCurrent, type Push } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import { isLeased, type PushAccess, pushAccess } from '../../shared/store/connections/deliveryState.ts';
import type { ConnectionSender } from '../gateway/connectionSender.ts';
import { messageLimit } from '../gateway/messageLimit.ts';
import { log } from '../telemetry/log.ts';
import type { CallTime } from './callTime.ts';
import { leaveToHealing, noteForHealing } from './leaveToHealing.ts';
import type { RoundPushes } from './roundPushes.ts';

/** How long a connection counts as read, in milliseconds: as long as a chunk takes at full pace. */
export const FRESH_MS = 2_000;

/** How often changes are repeated to a connection that asks for another user meanwhile. */
const REPEATS = 3;

/** Dependencies of a fan-out. */
export interface FanOutDeps {
  readonly connections: Connections;
  readonly sender: ConnectionSender;
  readonly now: () => number;
}

/** Changes of an environment, and what else connections may be owed. */
export interface FanOut extends RoundPushes {
  readonly envId: string;
  /** The version of connections after the changes. */
  readonly version: number;
  /** When the connections were read, unix milliseconds. */
  readonly readAt: number;
  readonly time: CallTime;
}

/** The outcome of sending to a connection. */
export interface SendResult {
  readonly connection: Connection;
  /** Changes that may have reached it, ascending. */
  readonly sent: readonly Push[];
  /** Version of the last change that was due and sent; 0 if there was none. */
  readonly sentTo: number;
  /** Version of the first change that was not sent, and the error; no error if time ended. */
  readonly unsent?: { readonly at: number; readonly error?: unknown };
}

/** A connection to send to, and how. */
interface SendTarget {
  readonly connection: Connection;
  readonly access: Extract<PushAccess, { version: number }>;
}

/**
 * Sends a connection the changes that are due, in order; or leaves them to the sender that is answering it, or to healing.
 *
 * @returns undefined if there is nothing to record for the connection
 */
export async function sendToConnection(
  deps: FanOutDeps,
  fanOut: FanOut,
  registered: Connection,
): Promise<SendResult | undefined> {
  const { connections, sender } = deps;
  const { envId, version, time } = fanOut;
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
  let readAt = fanOut.readAt;
  /** Whether it has asked again since it was read. That answer contains the rest, and may have reached it. */
  const isOutdated = async () => {
    if (deps.now() - readAt <= FRESH_MS) return false;
    readAt = deps.now();
    return (await connections.find(envId, connection.id))?.answerId !== connection.answerId;
  };
  for (const push of owed) {
    const isRepeat = push.updatedAt <= access.version;
    if (isRepeat) {
      // The reply may have contained a newer version already; SDKs accept nothing older after that.
      latest ??= await fanOut.latest();
      if (!isCurrent(push, latest)) continue;
    }
    const message = patchFor(push.source, connection, messageLimit(envId));
    if (message === undefined) continue;
    if (!time.mayPost()) return { connection, sent, sentTo, unsent: { at: push.updatedAt } };
    try {
      if (await isOutdated()) return { connection, sent, sentTo };
      sent.push(push);
      const outcome = await sender.post(connection.id, message, undefined, isOutdated);
      if (outcome === 'outdated') return { connection, sent, sentTo };
      if (outcome === 'gone') {
        await connections.remove(envId, connection.id);
        return undefined;
      }
    } catch (error) {
      return { connection, sent, sentTo, unsent: { at: push.updatedAt, error } };
    }
    if (!isRepeat) sentTo = push.updatedAt;
  }
  if (isBehind) await connections.states.markCurrent(envId, connection, version);
  return { connection, sent, sentTo };
}

/** @returns undefined if there is nothing to send: another sender does it, or the connection is gone */
async function readyToSend(
  deps: FanOutDeps,
  fanOut: FanOut,
  connection: Connection,
  isReadAgain = false,
): Promise<SendTarget | undefined> {
  const { connections, now } = deps;
  const { envId, version, pushes } = fanOut;
  const access = pushAccess(connection.state);
  if ('version' in access) return { connection, access };
  const isRepeat = pushes.some((push) => isMistakable(connection, push));
  if (access.kind === 'leave' && !(await connections.states.leave(envId, connection, version, isRepeat))) {
    // The other sender has just finished.
    const current = isReadAgain ? undefined : await connections.find(envId, connection.id);
    // An answer that began since then contains the changes, because it reads the environment later.
    if (current?.answerId !== connection.answerId) return undefined;
    return readyToSend(deps, fanOut, current, true);
  }
  if (!isLeased(connection.state, now())) await noteForHealing(connections, envId, connection);
  return undefined;
}

/**
 * Whether a change may have been sent before, for an earlier user whom the SDK cannot distinguish from this one
 * (docs/decisions/0003-snapshots.md). It is sent again then.
 */
function isMistakable({ type, hasAskedBefore }: Connection, { isRetry }: Push): boolean {
  return isRetry === true && type === 'client' && hasAskedBefore === true;
}

/**
 * Repeats changes to a connection that asks for another user than the one they were built for. A reply to a later data-sync
 * contains everything (websocket/answer.ts). A reply to an earlier one may have arrived before the changes.
 *
 * @param current the connection, read after the changes were sent
 * @returns undefined if there is nothing to record for the connection
 */
export async function repeatToOtherUser(
  deps: FanOutDeps,
  fanOut: FanOut,
  { connection: before, sent }: SendResult,
  current: Connection | undefined,
): Promise<SendResult | undefined> {
  const { connections } = deps;
  const { envId, version } = fanOut;
  const pushes = sent.map((push) => ({ ...push, isRetry: true }));
  for (let times = 0; current && !isSameUser(before.user, current.user); times++) {
    if (times === REPEATS) {
      log.warn('changes left to healing: the connection keeps asking for other users', {
        envId,
        connectionId: current.id,
      });
      const isAnswering = current.state.kind === 'answering';
      if (isAnswering && (await connections.states.leave(envId, current, version, true))) return undefined;
      await leaveToHealing(connections, envId, current, (pushes[0] as Push).updatedAt - 1);
      return undefined;
    }
    const result = await sendToConnection(deps, { ...fanOut, pushes }, current);
    if (!result || result.unsent) return result;
    before = result.connection;
    current = await connections.find(envId, current.id);
  }
  return undefined;
}
