import type { Push } from '../../shared/delivery/pushes.ts';
import { type Connection, isSameRegistration } from '../../shared/store/connection.ts';
import type { Connections } from '../../shared/store/connections.ts';
import { isBehind, isBusy, SETTLE_IN_MS, wasAnsweredWith } from '../../shared/store/deliveryState.ts';

/** What it takes to wait for a connection. */
export interface ReadyParts {
  readonly connections: Pick<Connections, 'find' | 'leaveToSender'>;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** What connections are to be ready for. */
export interface PushRound {
  readonly envId: string;
  /** When the connections were read, unix milliseconds. */
  readonly readAt: number;
  /** Up to which version they are brought. */
  readonly version: number;
  readonly pushes: readonly Push[];
}

/**
 * A connection as it is once pushes may be sent to it: a young one is waited for and looked at again; where somebody is
 * sending it a reply in parts, the version is left to that one.
 *
 * @returns undefined when nothing is to be sent: it is gone, has it all (by the answer to a data-sync that came since it was
 *   read, too), or will be sent it by the other
 */
export async function readyConnection(
  parts: ReadyParts,
  { envId, readAt, version, pushes }: PushRound,
  registered: Connection,
): Promise<Connection | undefined> {
  const { connections, now } = parts;
  const lookAgain = async () => {
    const current = await connections.find(envId, registered.id);
    return current && isSameRegistration(current, registered) ? current : undefined;
  };
  let connection: Connection | undefined = registered;
  if (isYoung(registered, readAt)) {
    if (!isBehind(registered, now()) && !pushes.some((push) => isOwed(registered, push))) return undefined;
    await settle(parts, registered);
    connection = await lookAgain();
  }
  if (!connection || !isBusy(connection, now())) return connection;
  if (await connections.leaveToSender(envId, connection, version, repeatAfter(connection, pushes))) return undefined;
  connection = await lookAgain();
  return connection && !isBusy(connection, now()) ? connection : undefined;
}

/**
 * Whether an item is to be sent to a connection: its answer did not hold it, or it may have been sent before and be taken
 * for what is made for the user of now (docs/decisions/0003-snapshots.md).
 */
export function isOwed(connection: Connection, push: Push): boolean {
  return !wasAnsweredWith(connection, push) || mayBeMistaken(connection, push);
}

/** Whether the answer to a connection's data-sync may still be on its way, or not yet be noted. */
export function isYoung({ registeredAt }: Connection, atMs: number): boolean {
  return atMs - registeredAt < SETTLE_IN_MS;
}

/** Waits until the answer to a connection's data-sync is out, and noted; whatever its clock says, for no longer. */
export async function settle({ now, pause }: ReadyParts, { registeredAt }: Connection): Promise<void> {
  await pause(Math.max(0, Math.min(SETTLE_IN_MS, registeredAt + SETTLE_IN_MS - now())));
}

/** What a reply in parts holds is not noted before it has ended, so all that may be mistaken is to be repeated. */
function repeatAfter(connection: Connection, pushes: readonly Push[]): number | undefined {
  const first = pushes.find((push) => mayBeMistaken(connection, push));
  return first && first.updatedAt - 1;
}

function mayBeMistaken({ type, hasAskedBefore }: Connection, { isRetry }: Push): boolean {
  return isRetry === true && type === 'client' && hasAskedBefore === true;
}
