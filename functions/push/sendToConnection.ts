import { patchFor } from '../../shared/delivery/patch.ts';
import { isCurrent, type Push } from '../../shared/delivery/pushes.ts';
import type { Snapshot } from '../../shared/evaluation/snapshot.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import { type Connection, isSameRegistration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBehind, wasAnsweredWith } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import type { ConnectionSender } from './connectionSender.ts';
import { messageLimit } from './messageLimit.ts';
import { isOwed, type PushRound, type ReadyParts, readyConnection } from './ready.ts';

/** How often items are repeated for a connection that asks for yet another user just as they are sent. */
const REPEATS = 3;

/** What sending takes. */
export interface SenderParts extends ReadyParts {
  readonly sender: ConnectionSender;
  readonly connections: Pick<Connections, 'find' | 'leaveToSender' | 'remove' | 'markAnswered' | 'markBehind'>;
}

/** What is to be sent. */
export interface Delivery extends PushRound {
  /** All that the environment holds up to the version, for connections that are behind. */
  readonly everything: () => Promise<readonly Push[]>;
  /** The environment as of now. */
  readonly latest: () => Promise<Snapshot>;
}

/** How far a connection has been brought. */
export interface Progress {
  readonly connection: Connection;
  /** What may have reached it, ascending. */
  readonly sent: readonly Push[];
  /** Version of the last item that it was owed and sent; 0: none was. */
  readonly sentTo: number;
  /** Version of the item that could not be sent, and why. */
  readonly failed?: { readonly at: number; readonly error: unknown };
}

/**
 * Sends a connection, in order, what it is owed.
 *
 * @returns undefined when there is nothing to note of the connection
 */
export async function sendToConnection(
  parts: SenderParts,
  delivery: Delivery,
  registered: Connection,
): Promise<Progress | undefined> {
  const { connections, sender, now } = parts;
  const { envId, version } = delivery;
  const connection = await readyConnection(parts, delivery, registered);
  if (!connection) return undefined;

  const wasBehind = isBehind(connection, now());
  const owed = wasBehind
    ? (await delivery.everything()).filter(({ updatedAt }) => updatedAt > (connection.version ?? 0))
    : delivery.pushes.filter((push) => isOwed(connection, push));
  const sent: Push[] = [];
  let sentTo = 0;
  let latest: Snapshot | undefined;
  for (const push of owed) {
    if (wasAnsweredWith(connection, push)) {
      // An SDK that has its successor, by the answer or soon, takes nothing older.
      latest ??= await delivery.latest();
      if (!isCurrent(push, latest)) continue;
    }
    const message = patchFor(push.source, connection, messageLimit(envId));
    if (message === undefined) continue;
    sent.push(push);
    try {
      if ((await sender.post(connection.id, message)) === 'gone') {
        await connections.remove(envId, connection.id);
        return undefined;
      }
    } catch (error) {
      return { connection, sent, sentTo, failed: { at: push.updatedAt, error } };
    }
    if (!wasAnsweredWith(connection, push)) sentTo = push.updatedAt;
  }
  if (wasBehind) await connections.markAnswered(envId, connection, version);
  return { connection, sent, sentTo };
}

/**
 * Sends to a connection again what was made for an earlier user. An answer that it asks for from now on comes after that
 * and holds everything (websocket/answer.ts); one that it asked for before may have come first.
 */
export async function repeat(
  parts: SenderParts,
  delivery: Delivery,
  made: Progress,
  seen: Connection,
): Promise<Progress | undefined> {
  const { connections, now } = parts;
  const { envId } = delivery;
  const pushes = made.sent.map((push) => ({ ...push, isRetry: true }));
  let current = seen;
  for (let times = 0; times < REPEATS; times++) {
    const sent = await sendToConnection(parts, { ...delivery, readAt: now(), pushes }, current);
    if (!sent || sent.failed) return sent;
    const found = await connections.find(envId, current.id);
    if (!found || !isForAnother(sent.connection, found)) return undefined;
    current = found;
  }
  log.warn('a connection keeps asking for other users; the next change brings what it lacks', { envId, id: seen.id });
  await connections.markBehind(envId, current, (pushes[0] as Push).updatedAt - 1);
  return undefined;
}

/** Whether a connection evaluates for another user than it did when it was looked at before. */
export function isForAnother(before: Connection, now: Connection): boolean {
  return !isSameRegistration(before, now) && !isSameUser(before.user, now.user);
}
