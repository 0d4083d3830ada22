import type { Push } from '../../shared/delivery/pushes.ts';
import { type Connection, isSameRegistration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBehind, isBusy, REPLY_GRACE_MS, wasAnsweredWith } from '../../shared/store/deliveryState.ts';

/** What waiting for a connection needs. */
export interface ReadyParts {
  readonly connections: Pick<Connections, 'find' | 'leaveToSender'>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Changes of an environment that are to be sent to connections together. */
export interface PendingPushes {
  readonly envId: string;
  /** When the connections were read, unix milliseconds. */
  readonly readAt: number;
  /** The version that connections are at once they have the changes. */
  readonly version: number;
  readonly pushes: readonly Push[];
}

/**
 * Waits until pushes may be sent to a connection. One that registered within the last second is read again a second after
 * it registered. While a reply in parts is being sent to it, the changes are left to the sender of that reply.
 *
 * @returns the connection as it is then; undefined when nothing is to be sent: it is gone, it has asked for data again, it
 *   has all changes, or the sender of the reply sends them
 */
export async function waitUntilReady(
  parts: ReadyParts,
  { envId, readAt, version, pushes }: PendingPushes,
  registered: Connection,
): Promise<Connection | undefined> {
  const { connections, now } = parts;
  const readAgain = async () => {
    const current = await connections.find(envId, registered.id);
    return current && isSameRegistration(current, registered) ? current : undefined;
  };
  let connection: Connection | undefined = registered;
  if (isYoung(registered, readAt)) {
    if (!isBehind(registered, now()) && !pushes.some((push) => isOwed(registered, push))) return undefined;
    await waitForReply(parts, registered);
    connection = await readAgain();
  }
  if (!connection || !isBusy(connection, now())) return connection;
  if (await connections.leaveToSender(envId, connection, version, repeatAfter(connection, pushes))) return undefined;
  connection = await readAgain();
  return connection && !isBusy(connection, now()) ? connection : undefined;
}

/**
 * Whether a change is to be sent to a connection: the reply to its data-sync did not hold it, or it may have been sent
 * before for another user, which the SDK cannot tell (docs/decisions/0003-snapshots.md).
 */
export function isOwed(connection: Connection, push: Push): boolean {
  return !wasAnsweredWith(connection, push) || mayBeMistaken(connection, push);
}

/** Whether the reply to a connection's data-sync may still be on its way, or not be noted yet. */
function isYoung({ registeredAt }: Connection, atMs: number): boolean {
  return atMs - registeredAt < REPLY_GRACE_MS;
}

/** Waits until the reply to a connection's data-sync is out and noted: a second at most, whatever its clock says. */
async function waitForReply({ now, pause }: ReadyParts, { registeredAt }: Connection): Promise<void> {
  await pause(Math.max(0, Math.min(REPLY_GRACE_MS, registeredAt + REPLY_GRACE_MS - now())));
}

/** What a reply in parts holds is noted when it has ended, so all changes that may be mistaken are repeated. */
function repeatAfter(connection: Connection, pushes: readonly Push[]): number | undefined {
  const first = pushes.find((push) => mayBeMistaken(connection, push));
  return first && first.updatedAt - 1;
}

function mayBeMistaken({ type, hasAskedBefore }: Connection, { isRetry }: Push): boolean {
  return isRetry === true && type === 'client' && hasAskedBefore === true;
}
