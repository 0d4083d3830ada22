import type { Connection } from './connection.ts';

/**
 * A change written longer ago than this before a data-sync is not on its way to connections any more: where the answer's
 * version is not noted (yet), it held that.
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

/** Whether a connection has been sent what it asked for, and all that came since. */
export function isSettled({ busyUntil }: Connection): boolean {
  return busyUntil === undefined;
}

/** Whether somebody is answering a connection, or sending it what it is owed. */
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
