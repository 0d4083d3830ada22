import { formatFor } from '../../shared/protocol/reply.ts';
import { markAnswered, markBehind, wasAnsweredWith } from '../../shared/store/answers.ts';
import { type Connection, removeConnection } from '../../shared/store/connections.ts';
import { log } from '../log.ts';
import { patchWith } from '../patch.ts';
import type { Postbox } from '../postbox.ts';
import type { Push } from './pushes.ts';
import { isBehind, type Occasion, type ReadyParts, readyConnection } from './ready.ts';

/** Connections of a shard that are sent to at the same time. */
const CONCURRENCY = 64;

/** What sending takes. */
export interface FanOutParts extends ReadyParts {
  readonly postbox: Postbox;
}

/** What is to be sent to whom. */
export interface Round extends Occasion {
  readonly connections: readonly Connection[];
  /** All that the environment holds up to the version, for connections that are behind. */
  readonly everything: () => Promise<readonly Push[]>;
}

/** How far a connection has been brought. */
interface Progress {
  readonly connection: Connection;
  /** Version of the last item that was sent; 0: none had to be. */
  readonly sentTo: number;
  /** Version of the item that could not be sent, and why. */
  readonly failed?: { readonly at: number; readonly error: unknown };
}

/**
 * Sends items to a shard's connections, to each in order. Connections that are gone are forgotten.
 *
 * A connection that cannot be reached is noted as behind, and gets what it lacks with the next attempt or change.
 *
 * @throws when one that was not behind before cannot be reached: that may pass. One that was is not waited for again, as
 *   nobody may keep all others waiting. Those that were served are marked, so that another attempt passes them over.
 */
export async function sendToShard(parts: FanOutParts, round: Round): Promise<void> {
  const { tables, now } = parts;
  const { envId, connections } = round;
  const errors: unknown[] = [];
  const reached: Progress[] = [];
  await forEachAtOnce(connections, errors, async (connection) => {
    const progress = await sendToConnection(parts, round, connection);
    if (progress) reached.push(progress);
  });
  const failed = reached.filter((progress) => progress.failed !== undefined);
  if (errors.length + failed.length === 0) return;

  errors.push(
    ...failed.filter(({ connection }) => !isBehind(connection, now())).map((progress) => progress.failed?.error),
  );
  const isHeld = errors.length > 0;
  await forEachAtOnce(reached, errors, async ({ connection, sentTo, failed }) => {
    if (failed) await markBehind(tables, envId, connection, failed.at - 1);
    else if (isHeld && sentTo > 0) await markAnswered(tables, envId, connection, sentTo);
  });
  if (errors.length > 0) {
    throw new Error(`${errors.length} of ${connections.length} connections could not be served`, { cause: errors[0] });
  }
  log.warn(`${failed.length} of ${connections.length} connections still cannot be reached`, { envId });
}

/** @returns undefined when there is nothing to note of the connection */
async function sendToConnection(
  parts: FanOutParts,
  round: Round,
  registered: Connection,
): Promise<Progress | undefined> {
  const { tables, postbox, now } = parts;
  const { envId, version } = round;
  const connection = await readyConnection(parts, round, registered);
  if (!connection) return undefined;

  const wasBehind = isBehind(connection, now());
  const owed = wasBehind
    ? (await round.everything()).filter(({ updatedAt }) => updatedAt > (connection.version ?? 0))
    : round.pushes.filter((push) => !wasAnsweredWith(connection, push));
  const format = formatFor(connection.type, connection.user);
  let sentTo = 0;
  for (const { source, updatedAt } of owed) {
    const item = format.item(source);
    const message = item && patchWith(item, format, envId);
    if (message === undefined) continue;
    try {
      if ((await postbox.post(connection.id, message)) === 'gone') {
        await removeConnection(tables, envId, connection.id);
        return undefined;
      }
    } catch (error) {
      return { connection, sentTo, failed: { at: updatedAt, error } };
    }
    sentTo = updatedAt;
  }
  if (wasBehind) await markAnswered(tables, envId, connection, version);
  return { connection, sentTo };
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
