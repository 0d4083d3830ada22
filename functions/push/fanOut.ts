import type { Connection } from '../../shared/store/connection.ts';
import { isBehind } from '../../shared/store/deliveryState.ts';
import { log } from '../telemetry/log.ts';
import {
  type Delivery,
  isForAnother,
  type Progress,
  repeat,
  type SenderParts,
  sendToConnection,
} from './sendToConnection.ts';

/** Connections of a shard that are sent to at the same time. */
const CONCURRENCY = 64;

/** What is to be sent to whom. */
export interface Round extends Delivery {
  readonly connections: readonly Connection[];
  /** The same connections as they are by now. */
  readonly reload: () => Promise<readonly Connection[]>;
}

/**
 * Sends items to a shard's connections, to each in order. Connections that are gone are forgotten. In the end it is looked
 * who has asked for another user meanwhile: to those what was sent is sent again, made for that user.
 *
 * A connection that cannot be reached is noted as behind, and gets what it lacks with the next attempt or change.
 *
 * @throws when one that was not behind before cannot be reached: that may pass. One that was is not waited for again, as
 *   nobody may keep all others waiting. Those that were served are marked, so that another attempt passes them over.
 */
export async function sendToShard(parts: SenderParts, round: Round): Promise<void> {
  const { now } = parts;
  const { envId, connections } = round;
  const errors: unknown[] = [];
  const reached: Progress[] = [];
  await forEachAtOnce(connections, errors, async (connection) => {
    const progress = await sendToConnection(parts, round, connection);
    if (progress) reached.push(progress);
  });
  const changed = await findChanged(round, reached).catch((error: unknown) => void errors.push(error));
  await forEachAtOnce(changed ?? [], errors, async ({ made, current }) => {
    const progress = await repeat(parts, round, made, current);
    if (progress) reached.push(progress);
  });
  const failed = reached.filter((progress) => progress.failed !== undefined);
  if (errors.length + failed.length === 0) return;

  errors.push(
    ...failed.filter(({ connection }) => !isBehind(connection, now())).map((progress) => progress.failed?.error),
  );
  const isHeld = errors.length > 0;
  await forEachAtOnce(reached, errors, async ({ connection, sentTo, failed }) => {
    if (failed) await parts.connections.markBehind(envId, connection, failed.at - 1);
    else if (isHeld && sentTo > 0) await parts.connections.markAnswered(envId, connection, sentTo);
  });
  if (errors.length > 0) {
    throw new Error(`${errors.length} of ${connections.length} connections could not be served`, { cause: errors[0] });
  }
  log.warn(`${failed.length} of ${connections.length} connections still cannot be reached`, { envId });
}

/** What was made for users whom their connections evaluate for no more, and the connections as they are. */
async function findChanged(round: Round, reached: readonly Progress[]) {
  const made = reached.filter(({ connection, sent }) => connection.user && sent.length > 0);
  if (made.length === 0) return [];
  const currentById = new Map((await round.reload()).map((connection) => [connection.id, connection]));
  return made.flatMap((progress) => {
    const current = currentById.get(progress.connection.id);
    return current && isForAnother(progress.connection, current) ? [{ made: progress, current }] : [];
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
