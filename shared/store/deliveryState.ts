import type { Connection, Registration } from './connection.ts';

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
 * How long after its data-sync a connection gets no pushes, so that the reply is out first. By then it is also noted what
 * the reply holds.
 */
export const REPLY_GRACE_MS = 1_000;

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

/** What is noted in the place of a time of a connection that could not be reached, and of one that there was no time for. */
export const UNREACHED = 0;
export const CUT_OFF = 1;

/** Whether a connection is owed everything since its version: it could not be sent to, or its sender gave up. */
export function isBehind({ busyUntil }: Connection, nowMs: number): boolean {
  return busyUntil !== undefined && busyUntil <= nowMs;
}

/** Whether it is owed that because it could not be reached: then it is not waited for another time. */
export function isUnreached({ busyUntil }: Connection): boolean {
  return busyUntil === UNREACHED;
}
