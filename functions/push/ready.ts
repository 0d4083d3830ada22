import { isInFlight, leaveToSender } from '../../shared/store/answers.ts';
import { type Connection, findConnection } from '../../shared/store/connections.ts';
import type { Tables } from '../../shared/store/table.ts';
import type { Push } from './pushes.ts';

/**
 * How long a new connection is left to receive the answer to its data-sync before anything is pushed to it; by then it
 * is also noted what that answer held.
 */
const SETTLE_IN_MS = 1_000;

/** Looks at one connection before it is sent to as it is; one that keeps asking anew is not waited for forever. */
const LOOKS = 3;

/** What it takes to wait for a connection. */
export interface ReadyParts {
  readonly tables: Tables;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** What connections are to be ready for. */
export interface Occasion {
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
 * @returns undefined when nothing is to be sent: it is gone, was answered with all of it, or will be sent it by the other
 */
export async function readyConnection(
  { tables, now, pause }: ReadyParts,
  { envId, readAt, version, pushes }: Occasion,
  registered: Connection,
): Promise<Connection | undefined> {
  let connection: Connection | undefined = registered;
  let seenAt = readAt;
  for (let look = 0; look < LOOKS && connection; look++) {
    const { registeredAt, requestedAt } = connection;
    if (seenAt - registeredAt < SETTLE_IN_MS) {
      if (pushes.every(({ writtenAt }) => !isInFlight(writtenAt, { requestedAt }))) return undefined;
      await pause(Math.max(0, Math.min(SETTLE_IN_MS, registeredAt + SETTLE_IN_MS - now())));
    } else if (isBusy(connection, now())) {
      if (await leaveToSender(tables, envId, connection, version)) return undefined;
    } else {
      return connection;
    }
    seenAt = now();
    connection = await findConnection(tables, envId, registered.id);
  }
  return connection && !isBusy(connection, now()) ? connection : undefined;
}

/** Whether a connection is owed everything since its version: it could not be sent to, or its sender gave up. */
export function isBehind({ busyUntil }: Connection, nowMs: number): boolean {
  return busyUntil !== undefined && busyUntil <= nowMs;
}

function isBusy({ busyUntil }: Connection, nowMs: number): boolean {
  return busyUntil !== undefined && busyUntil > nowMs;
}
