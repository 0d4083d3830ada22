import { type AttributeValue, ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Connection, keyOfConnection, type Registration } from './connections.ts';
import type { Tables } from './table.ts';

/**
 * A change written within this time before a data-sync may still be on its way to connections, so the version that the
 * answer held is noted then. A connection without a noted version was answered when nothing had changed for this long.
 */
const IN_FLIGHT_MS = 10_000;

/**
 * How far a writer's clock may be off, or its request late. Pushes tell their time by the table's clock; what is read from
 * the table has only the writer's.
 */
export const WRITER_SKEW_MS = 5 * 60_000;

/**
 * How long a new connection is left to receive the answer to its data-sync before anything is pushed to it; by then it
 * is also noted what that answer held.
 */
export const SETTLE_IN_MS = 1_000;

/**
 * Whether a version may have been written so shortly before a data-sync that its answer must be noted.
 *
 * @param writtenAt unix milliseconds by the writer's clock
 */
export function mustBeNoted(writtenAt: number, { requestedAt }: Pick<Registration, 'requestedAt'>): boolean {
  return writtenAt > requestedAt - IN_FLIGHT_MS - WRITER_SKEW_MS;
}

/**
 * Whether the answer to a connection's data-sync held an item already, so that it must not be pushed again. When it was
 * written is told by the table's clock.
 */
export function wasAnsweredWith(
  connection: Connection,
  item: { readonly updatedAt: number; readonly writtenAt: number },
): boolean {
  return connection.version === undefined
    ? item.writtenAt <= connection.requestedAt - IN_FLIGHT_MS
    : item.updatedAt <= connection.version;
}

/** Whether somebody is sending to a connection what it is owed. */
export function isBusy({ busyUntil }: Connection, nowMs: number): boolean {
  return busyUntil !== undefined && busyUntil > nowMs;
}

/** Whether a connection is owed everything since its version: it could not be sent to, or its sender gave up. */
export function isBehind({ busyUntil }: Connection, nowMs: number): boolean {
  return busyUntil !== undefined && busyUntil <= nowMs;
}

/** Notes that a connection has everything up to a version. A connection that has asked again meanwhile is left alone. */
export async function markAnswered(
  tables: Tables,
  envId: string,
  registration: Registration,
  version: number,
): Promise<void> {
  await update(tables, envId, registration, {
    set: 'SET version = :version REMOVE busyUntil, leftAt, repeatAfter',
    values: { ':version': version },
  });
}

/** Notes that a connection is being sent a reply in several messages: pushes keep out of the way until that time. */
export async function markBusy(
  tables: Tables,
  envId: string,
  registration: Registration,
  untilMs: number,
): Promise<void> {
  await update(tables, envId, registration, { set: 'SET busyUntil = :until', values: { ':until': untilMs } });
}

/** Notes that a connection could not be sent what comes after a version, so that the next change makes up for it. */
export async function markBehind(
  tables: Tables,
  envId: string,
  registration: Registration,
  version: number,
): Promise<void> {
  await update(tables, envId, registration, {
    set: 'SET version = :version, busyUntil = :past REMOVE leftAt, repeatAfter',
    values: { ':version': version, ':past': 0 },
  });
}

/**
 * Leaves a version to whoever is sending to a busy connection.
 *
 * @param repeatAfter the version after which that one must send everything again; 0 and more
 * @returns false when nobody is any more
 */
export async function leaveToSender(
  tables: Tables,
  envId: string,
  connection: Connection,
  version: number,
  repeatAfter?: number,
): Promise<boolean> {
  const isRepeat = repeatAfter !== undefined;
  const { outcome } = await update(tables, envId, connection, {
    // The first one to ask is asking for the most: versions ascend.
    set: `SET leftAt = :version${isRepeat ? ', repeatAfter = if_not_exists(repeatAfter, :repeat)' : ''}`,
    values: { ':version': version, ':until': connection.busyUntil ?? 0, ...(isRepeat && { ':repeat': repeatAfter }) },
    condition: 'busyUntil = :until',
  });
  return outcome === 'done';
}

/**
 * Notes that a busy connection has everything up to a version and is to be sent pushes again.
 *
 * @param repeatedAfter the version after which everything was sent again, if that was
 * @returns undefined when it is noted, or no longer matters; else the version after which there is more to send, and this
 *   is to be tried again: a push has left a newer version to the sender meanwhile, or what is to be repeated
 */
export async function finishBusy(
  tables: Tables,
  envId: string,
  registration: Registration,
  version: number,
  repeatedAfter = -1,
): Promise<number | undefined> {
  const { outcome, item } = await update(tables, envId, registration, {
    set: 'SET version = :version REMOVE busyUntil, leftAt, repeatAfter',
    values: { ':version': version, ':repeated': repeatedAfter },
    condition:
      '(attribute_not_exists(leftAt) OR leftAt <= :version) AND (attribute_not_exists(repeatAfter) OR repeatAfter = :repeated)',
  });
  if (outcome !== 'refused') return undefined;
  const repeatAfter = Number(item?.['repeatAfter']?.N ?? repeatedAfter);
  return repeatAfter === repeatedAfter ? version : Math.min(repeatAfter, version);
}

interface Update {
  readonly set: string;
  readonly values: Readonly<Record<string, number>>;
  readonly condition?: string;
}

interface Updated {
  /** `refused` when the condition did not hold, `replaced` when there is a newer data-sync, or no row any more. */
  readonly outcome: 'done' | 'refused' | 'replaced';
  /** The row as it is, unless it was changed. */
  readonly item?: Readonly<Record<string, AttributeValue>> | undefined;
}

/** Changes a connection's row while it is still as this data-sync registered it. */
async function update(
  tables: Tables,
  envId: string,
  { id, requestedAt, registeredAt }: Registration,
  { set, values, condition }: Update,
): Promise<Updated> {
  const mine = 'requestedAt = :requestedAt AND registeredAt = :registeredAt';
  const numbers = Object.entries({ ...values, ':requestedAt': requestedAt, ':registeredAt': registeredAt });
  try {
    await tables.client.send(
      new UpdateItemCommand({
        TableName: tables.connections,
        Key: keyOfConnection(envId, id),
        UpdateExpression: set,
        ConditionExpression: condition ? `${mine} AND (${condition})` : mine,
        ExpressionAttributeValues: Object.fromEntries(
          numbers.map(([name, value]): [string, AttributeValue] => [name, { N: String(value) }]),
        ),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { outcome: 'done' };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const isMine =
      Number(error.Item?.['requestedAt']?.N) === requestedAt &&
      Number(error.Item?.['registeredAt']?.N) === registeredAt;
    return { outcome: isMine ? 'refused' : 'replaced', item: error.Item };
  }
}
