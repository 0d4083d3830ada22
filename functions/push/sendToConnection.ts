import { patchFor } from '../../shared/delivery/patch.ts';
import { isCurrent, type Push } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import { type Connection, isSameRegistration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBehind, wasAnsweredWith } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import type { CallTime } from './callTime.ts';
import type { ConnectionSender } from './connectionSender.ts';
import { messageLimit } from './messageLimit.ts';
import { isOwed, type PendingPushes, type ReadyParts, waitUntilReady } from './ready.ts';

/** How often changes are sent again to a connection that asks for another user while they are sent. */
const REPEATS = 3;

/** What sending needs. */
export interface SenderParts extends ReadyParts {
  readonly sender: ConnectionSender;
  readonly time: CallTime;
  readonly connections: Pick<Connections, 'find' | 'leaveToSender' | 'remove' | 'markAnswered' | 'markBehind'>;
}

/** A fan-out: the changes, and what else connections may be owed. */
export interface FanOut extends PendingPushes {
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

/**
 * Sends a connection, in order, what it is owed.
 *
 * @returns undefined when there is nothing to note of the connection
 */
export async function sendToConnection(
  parts: SenderParts,
  fanOut: FanOut,
  registered: Connection,
): Promise<SendResult | undefined> {
  const { connections, sender, time, now } = parts;
  const { envId, version } = fanOut;
  const connection = await waitUntilReady(parts, fanOut, registered);
  if (!connection) return undefined;

  const wasBehind = isBehind(connection, now());
  const owed = wasBehind
    ? await fanOut.since(connection.version ?? 0)
    : fanOut.pushes.filter((push) => isOwed(connection, push));
  const sent: Push[] = [];
  let sentTo = 0;
  let latest: Snapshot | undefined;
  for (const push of owed) {
    if (wasAnsweredWith(connection, push)) {
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
    if (!wasAnsweredWith(connection, push)) sentTo = push.updatedAt;
  }
  if (wasBehind) await connections.markAnswered(envId, connection, version);
  return { connection, sent, sentTo };
}

/**
 * Sends changes again to a connection that has asked for another user since they were made. A reply that it asks for from
 * now on comes later and holds everything (websocket/answer.ts); one that it asked for before may have come earlier.
 */
export async function sendAgain(
  parts: SenderParts,
  fanOut: FanOut,
  sent: readonly Push[],
  seen: Connection,
): Promise<SendResult | undefined> {
  const { connections, now } = parts;
  const { envId } = fanOut;
  const pushes = sent.map((push) => ({ ...push, isRetry: true }));
  let current = seen;
  for (let times = 0; times < REPEATS; times++) {
    const result = await sendToConnection(parts, { ...fanOut, readAt: now(), pushes }, current);
    if (!result || result.unsent) return result;
    const found = await connections.find(envId, current.id);
    if (!found || !hasOtherUser(result.connection, found)) return undefined;
    current = found;
  }
  log.warn('changes not sent: the connection keeps asking for other users', { envId, connectionId: seen.id });
  await connections.markBehind(envId, current, (pushes[0] as Push).updatedAt - 1);
  return undefined;
}

/** Whether a connection evaluates for another user than when it was read before. */
export function hasOtherUser(before: Connection, now: Connection): boolean {
  return !isSameRegistration(before, now) && !isSameUser(before.user, now.user);
}
