import type { Push } from '../../shared/delivery/pushes.ts';
import { isSameUser } from '../../shared/flags/user.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import { isUnreachable } from '../../shared/store/connections/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import { CONCURRENCY } from './callTime.ts';
import { leaveToHealing } from './leaveToHealing.ts';
import type { OwedPushes } from './owedPushes.ts';
import { type SendDeps, type SendResult, sendToConnection } from './sendToConnection.ts';

/** How often changes are repeated to a connection that asks for another user meanwhile. */
const REPEATS = 3;

/** Connections as they were read. */
export interface ReadConnections {
  /** Ascending by id. */
  readonly connections: readonly Connection[];
  /** Unix milliseconds. */
  readonly readAt: number;
  /** Reads the same connections again. */
  readonly reload: () => Promise<readonly Connection[]>;
}

/** The outcome of a fan-out. */
interface FanOutResult {
  /** Number of connections, from the first, that were served in time. Each has the changes or is marked as behind. */
  readonly begun: number;
  /** Whether one of them is behind because time ended. */
  readonly isCut: boolean;
  /** Errors of connections that could be reached before; another attempt may succeed. */
  readonly errors: readonly unknown[];
}

/**
 * Sends changes to connections, to each in order. Rows of gone connections are removed. At the end the rows are read again: a
 * connection that has asked for another user meanwhile gets the changes again, for that user.
 *
 * A connection that cannot be reached is marked as behind, and gets the changes with the next attempt. If it could not be reached
 * before either, it is left to healing, and delays no other.
 *
 * @throws if the table fails; connections that were reached are marked, so that another attempt skips them
 */
export async function fanOut(
  deps: SendDeps,
  owed: OwedPushes,
  { connections, readAt, reload }: ReadConnections,
): Promise<FanOutResult> {
  const { envId } = owed;
  const errors: unknown[] = [];
  const results: SendResult[] = [];
  const keep = (result: SendResult | undefined): void => {
    if (result) results.push(result);
  };
  const send = async (each: Connection) => keep(await sendToConnection(deps, owed, each, readAt));
  const begun = await forEachAtOnce(connections, errors, send, deps.time.mayBegin);
  const toClients = results.filter(({ connection, sent }) => connection.user && sent.length > 0);
  const tryToReload = () => reload().catch((error: unknown) => void errors.push(error));
  const reloaded = toClients.length > 0 ? await tryToReload() : undefined;
  const currentById = new Map(reloaded?.map((connection) => [connection.id, connection]));
  await forEachAtOnce(toClients, errors, async (each) => {
    keep(await repeatToOtherUser(deps, owed, each, { current: currentById.get(each.connection.id), readAt }));
  });
  const isRetried = errors.length > 0;
  await forEachAtOnce(results, errors, async ({ connection, sentTo, unsent }) => {
    const { states } = deps.connections;
    const isFailed = unsent?.error !== undefined;
    if (isFailed && isUnreachable(connection.state)) {
      await leaveToHealing(deps.connections, envId, connection, unsent.at - 1);
    } else if (unsent) {
      await states.mark(envId, connection, unsent.at - 1, isFailed ? 'unreachable' : 'interrupted');
    } else if (isRetried && sentTo > 0) await states.mark(envId, connection, sentTo);
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

/**
 * Repeats changes to a connection that asks for another user than the one they were built for. A reply to a later data-sync
 * contains everything (websocket/answer.ts). A reply to an earlier one may have arrived before the changes.
 *
 * @param read the connection, read after the changes were sent
 * @returns undefined if there is nothing to record for the connection
 */
async function repeatToOtherUser(
  deps: SendDeps,
  owed: OwedPushes,
  { connection: before, sent }: SendResult,
  { current, readAt }: { current: Connection | undefined; readAt: number },
): Promise<SendResult | undefined> {
  const { connections } = deps;
  const { envId, version } = owed;
  const pushes = sent.map((push) => ({ ...push, isRetry: true }));
  for (let times = 0; current && !isSameUser(before.user, current.user); times++) {
    if (times === REPEATS) {
      const about = { envId, connectionId: current.id };
      log.warn('changes left to healing: the connection keeps asking for other users', about);
      const isAnswering = current.state.kind === 'answering';
      if (isAnswering && (await connections.states.leave(envId, current, version, true))) return undefined;
      await leaveToHealing(connections, envId, current, (pushes[0] as Push).updatedAt - 1);
      return undefined;
    }
    const result = await sendToConnection(deps, { ...owed, pushes }, current, readAt);
    if (!result || result.unsent) return result;
    before = result.connection;
    current = await connections.find(envId, current.id);
  }
  return undefined;
}

/**
 * Runs a function for each item, with limited concurrency; collects errors.
 *
 * @param mayBegin called before each item; after false, no further item starts
 * @returns number of items started, from the first
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
