import type { Connection } from '../../shared/store/connection.ts';
import { isBehind } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import {
  type FanOut,
  hasOtherUser,
  type SenderParts,
  type SendResult,
  sendAgain,
  sendToConnection,
} from './sendToConnection.ts';

/** Connections of a shard that are sent to at the same time. */
const CONCURRENCY = 64;

/** A fan-out to the connections of one shard. */
export interface ShardFanOut extends FanOut {
  readonly connections: readonly Connection[];
  /** The same connections as they are by now. */
  readonly reload: () => Promise<readonly Connection[]>;
}

/**
 * Sends changes to a shard's connections, to each in order. Connections that are gone are forgotten. At the end the
 * connections are read again: those that ask for another user by then are sent the changes once more, for that user.
 *
 * A connection that cannot be reached is noted as behind, and gets what it lacks with the next attempt or change.
 *
 * @throws when one that was not behind before cannot be reached: another attempt may succeed. One that was behind already
 *   holds up nobody. Those that were reached are marked, so that another attempt passes them over.
 */
export async function sendToShard(parts: SenderParts, fanOut: ShardFanOut): Promise<void> {
  const { now } = parts;
  const { envId, connections } = fanOut;
  const errors: unknown[] = [];
  const results: SendResult[] = [];
  await forEachAtOnce(connections, errors, async (connection) => {
    const result = await sendToConnection(parts, fanOut, connection);
    if (result) results.push(result);
  });
  const changed = await findChanged(fanOut, results).catch((error: unknown) => void errors.push(error));
  await forEachAtOnce(changed ?? [], errors, async ({ sent, current }) => {
    const result = await sendAgain(parts, fanOut, sent, current);
    if (result) results.push(result);
  });
  const failed = results.filter((result) => result.failed !== undefined);
  if (errors.length + failed.length === 0) return;

  errors.push(...failed.filter(({ connection }) => !isBehind(connection, now())).map((result) => result.failed?.error));
  const isRetried = errors.length > 0;
  await forEachAtOnce(results, errors, async ({ connection, sentTo, failed }) => {
    if (failed) await parts.connections.markBehind(envId, connection, failed.at - 1);
    else if (isRetried && sentTo > 0) await parts.connections.markAnswered(envId, connection, sentTo);
  });
  if (errors.length > 0) {
    throw new Error(`${errors.length} of ${connections.length} connections could not be served`, { cause: errors[0] });
  }
  log.warn('connections still cannot be reached', { envId, unreached: failed.length, connections: connections.length });
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

/** Does something with each item, some at a time; errors are collected. */
async function forEachAtOnce<T>(
  items: readonly T[],
  errors: unknown[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      await act(item).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
}
