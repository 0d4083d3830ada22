import type { Push } from '../../shared/delivery/pushes.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { Connection } from '../../shared/store/connection.ts';
import { isUnreachable } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import { leaveToHealing } from './leaveToHealing.ts';
import { type FanOut, type FanOutDeps, type SendResult, sendToConnection } from './sendToConnection.ts';

/** Connections that are sent to at the same time. */
export const CONCURRENCY = 64;

/** How often changes are sent again to a connection that asks for another user while they are sent. */
const REPEATS = 3;

/** A fan-out to connections. */
interface ShardFanOut extends FanOut {
  /** Ascending by id. */
  readonly connections: readonly Connection[];
  /** The same connections as they are by now. */
  readonly reload: () => Promise<readonly Connection[]>;
}

/** What became of a fan-out. */
interface FanOutResult {
  /** How many connections, from the first on, there was time for. Each has the changes, or is noted as behind. */
  readonly begun: number;
  /** Whether one of them is behind for want of time. */
  readonly isCut: boolean;
  /** Why connections that could be reached before could not: another attempt may succeed. */
  readonly errors: readonly unknown[];
}

/**
 * Sends changes to connections, to each in order. Connections that are gone are forgotten. At the end they are read again:
 * those that ask for another user by then are sent the changes once more, for that user.
 *
 * A connection that cannot be reached is noted as behind, and gets what it lacks with the next attempt. One that could not be
 * reached before either is left to healing, and holds up nobody.
 *
 * @throws when the table fails: those that were reached are marked, so that another attempt passes them over
 */
export async function sendToConnections(deps: FanOutDeps, fanOut: ShardFanOut): Promise<FanOutResult> {
  const { envId, connections, time } = fanOut;
  const errors: unknown[] = [];
  const results: SendResult[] = [];
  const begun = await forEachAtOnce(
    connections,
    errors,
    async (connection) => {
      const result = await sendToConnection(deps, fanOut, connection);
      if (result) results.push(result);
    },
    time.mayBegin,
  );
  const changed = await findChanged(fanOut, results).catch((error: unknown) => void errors.push(error));
  await forEachAtOnce(changed ?? [], errors, async ({ sent, current }) => {
    const result = await sendAgain(deps, fanOut, sent, current);
    if (result) results.push(result);
  });
  const isRetried = errors.length > 0;
  await forEachAtOnce(results, errors, async ({ connection, sentTo, unsent }) => {
    const { states } = deps.connections;
    const isFailed = unsent?.error !== undefined;
    if (isFailed && isUnreachable(connection.state)) {
      await leaveToHealing(deps.connections, envId, connection, unsent.at - 1);
    } else if (unsent) {
      await states.markBehind(envId, connection, unsent.at - 1, isFailed ? 'unreachable' : 'interrupted');
    } else if (isRetried && sentTo > 0) await states.markCurrent(envId, connection, sentTo);
  });
  if (errors.length > 0) {
    throw new Error(`${errors.length} of ${connections.length} connections could not be served`, { cause: errors[0] });
  }

  const failed = results.filter(({ unsent }) => unsent?.error !== undefined);
  const fresh = failed.filter(({ connection }) => !isUnreachable(connection.state));
  const unreached = failed.length - fresh.length;
  if (unreached > 0) log.warn('connections left to healing', { envId, unreached, connections: begun });
  const isCut = results.some(({ unsent }) => unsent !== undefined && unsent.error === undefined);
  return { begun, isCut, errors: fresh.map(({ unsent }) => unsent?.error) };
}

/** Connections that ask for another user than the one whom they were sent changes for. */
async function findChanged(fanOut: ShardFanOut, results: readonly SendResult[]) {
  const ofClients = results.filter(({ connection, sent }) => connection.user && sent.length > 0);
  if (ofClients.length === 0) return [];
  const currentById = new Map((await fanOut.reload()).map((connection) => [connection.id, connection]));
  return ofClients.flatMap(({ connection, sent }) => {
    const current = currentById.get(connection.id);
    return current && hasOtherUser(connection, current) ? [{ sent, current }] : [];
  });
}

/** Whether a connection evaluates for another user than when it was read before. */
function hasOtherUser(before: Connection, now: Connection): boolean {
  return !isSameUser(before.user, now.user);
}

/**
 * Sends changes again to a connection that has asked for another user since they were made. A reply that it asks for from
 * now on comes later and holds everything (websocket/answer.ts); one that it asked for before may have come earlier.
 */
async function sendAgain(
  deps: FanOutDeps,
  fanOut: FanOut,
  sent: readonly Push[],
  seen: Connection,
): Promise<SendResult | undefined> {
  const { connections } = deps;
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
  log.warn('changes left to healing: the connection keeps asking for other users', { envId, connectionId: seen.id });
  if (current.state.kind === 'answering' && (await connections.states.leave(envId, current, fanOut.version, true))) {
    return undefined;
  }
  await leaveToHealing(connections, envId, current, (pushes[0] as Push).updatedAt - 1);
  return undefined;
}

/**
 * Does something with each item, some at a time; errors are collected.
 *
 * @param mayBegin asked before each; after a no, no further one is begun
 * @returns how many were begun, from the first on
 */
async function forEachAtOnce<T>(
  items: readonly T[],
  errors: unknown[],
  act: (item: T) => Promise<void>,
  mayBegin = () => true,
): Promise<number> {
  let begun = 0;
  const worker = async () => {
    while (begun < items.length && mayBegin()) {
      await act(items[begun++] as T).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
  return begun;
}
