import { formatFor } from '../../shared/protocol/reply.ts';
import { MESSAGE_LIMIT_BYTES } from '../../shared/protocol/split.ts';
import {
  type Connection,
  findConnection,
  markAnswered,
  removeConnection,
  wasAnsweredWith,
} from '../../shared/store/connections.ts';
import type { Tables } from '../../shared/store/table.ts';
import { log } from '../log.ts';
import type { Postbox } from '../postbox.ts';
import type { Push } from './pushes.ts';

/** Connections that are sent to at the same time. */
const CONCURRENCY = 64;

/**
 * How long a new connection is left to receive the answer to its data-sync before anything is pushed to it; by then it
 * is also noted what that answer held.
 */
const SETTLE_IN_MS = 1_000;

/** What sending takes. */
export interface FanOutParts {
  readonly tables: Tables;
  readonly postbox: Postbox;
  readonly now: () => number;
}

/**
 * Sends items to a shard's connections, to each in order. Connections that are gone are forgotten.
 *
 * @throws when some could not be reached now; those that were are marked, so that another attempt passes them over
 */
export async function sendToShard(
  parts: FanOutParts,
  envId: string,
  connections: readonly Connection[],
  pushes: readonly Push[],
): Promise<void> {
  const waiting = [...connections];
  const served: Connection[] = [];
  const errors: unknown[] = [];
  const worker = async () => {
    for (let connection = waiting.pop(); connection; connection = waiting.pop()) {
      try {
        await sendToConnection(parts, envId, connection, pushes);
        served.push(connection);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (errors.length === 0) return;

  const last = pushes.at(-1)?.updatedAt;
  if (last !== undefined) for (const connection of served) await markAnswered(parts.tables, envId, connection, last);
  throw new Error(`${errors.length} of ${connections.length} connections could not be reached`, { cause: errors[0] });
}

async function sendToConnection(
  { tables, postbox, now }: FanOutParts,
  envId: string,
  registered: Connection,
  pushes: readonly Push[],
): Promise<void> {
  const connection = await settledIn(tables, envId, registered, now);
  if (!connection || connection.isReceiving) return;
  const format = formatFor(connection.type, connection.user);
  for (const push of pushes) {
    const item = wasAnsweredWith(connection, push) ? undefined : format.item(push.source);
    if (!item) continue;
    const message = format.wrap('patch', [item]);
    if (Buffer.byteLength(message) > MESSAGE_LIMIT_BYTES) {
      log.error(`${item.kind} "${item.id}" is too large to push; this SDK has it when it polls`, { envId });
      continue;
    }
    if ((await postbox.post(connection.id, message)) === 'gone') {
      await removeConnection(tables, envId, connection.id);
      return;
    }
  }
}

/** A young connection is given time, and then looked at again. @returns undefined when it is gone by then */
async function settledIn(
  tables: Tables,
  envId: string,
  connection: Connection,
  now: () => number,
): Promise<Connection | undefined> {
  const age = now() - connection.requestedAt;
  if (age >= SETTLE_IN_MS) return connection;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_IN_MS - Math.max(age, 0)));
  return findConnection(tables, envId, connection.id);
}
