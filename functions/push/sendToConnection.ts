import { patchFor } from '../../shared/delivery/patch.ts';
import { isCurrent, type Push } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import { isLeased, type PushAccess, pushAccess } from '../../shared/store/connections/deliveryState.ts';
import type { ConnectionSender } from '../gateway/connectionSender.ts';
import { outboundLimit } from '../gateway/outboundLimit.ts';
import type { CallTime } from './callTime.ts';
import { noteForHealing } from './leaveToHealing.ts';
import type { OwedPushes } from './owedPushes.ts';

/** Dependencies of sending to connections. */
export interface SendDeps {
  readonly connections: Pick<Connections, 'find' | 'remove' | 'states' | 'unanswered'>;
  readonly sender: ConnectionSender;
  readonly now: () => number;
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
 * @param readAt when the connection was read, unix milliseconds
 * @returns undefined if there is nothing to record for the connection
 */
export async function sendToConnection(
  deps: SendDeps,
  owed: OwedPushes,
  registered: Connection,
  readAt: number,
): Promise<SendResult | undefined> {
  const { connections, sender, time } = deps;
  const { envId, version } = owed;
  const ready = await readyToSend(deps, owed, registered);
  if (!ready) return undefined;

  const { connection, access } = ready;
  const isBehind = access.kind === 'send missed';
  const due = isBehind
    ? await owed.since(access.version)
    : owed.pushes.filter((push) => push.updatedAt > access.version || isMistakable(connection, push));
  const sent: Push[] = [];
  let sentTo = 0;
  let latest: Snapshot | undefined;
  let freshAt = readAt;
  /** Whether it has asked again since it was read. That answer contains the rest, and may have reached it. */
  const isOutdated = async () => {
    if (time.isFresh(freshAt)) return false;
    freshAt = deps.now();
    return (await connections.find(envId, connection.id))?.answerId !== connection.answerId;
  };
  for (const push of due) {
    const isRepeat = push.updatedAt <= access.version;
    if (isRepeat) {
      // The reply may have contained a newer version already; SDKs accept nothing older after that.
      latest ??= await owed.latest();
      if (!isCurrent(push, latest)) continue;
    }
    const message = patchFor(push.source, connection, outboundLimit(envId));
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
  if (isBehind) await connections.states.mark(envId, connection, version);
  return { connection, sent, sentTo };
}

/** @returns undefined if there is nothing to send: another sender does it, or the connection is gone */
async function readyToSend(
  deps: SendDeps,
  owed: OwedPushes,
  connection: Connection,
  isReadAgain = false,
): Promise<SendTarget | undefined> {
  const { connections, now } = deps;
  const { envId, version, pushes } = owed;
  const access = pushAccess(connection.state);
  if ('version' in access) return { connection, access };
  const isRepeat = pushes.some((push) => isMistakable(connection, push));
  if (access.kind === 'leave' && !(await connections.states.leave(envId, connection, version, isRepeat))) {
    // The other sender has just finished.
    const current = isReadAgain ? undefined : await connections.find(envId, connection.id);
    // An answer that began since then contains the changes, because it reads the environment later.
    if (current?.answerId !== connection.answerId) return undefined;
    return readyToSend(deps, owed, current, true);
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
