/** Connections served at the same time. */
export const CONCURRENCY = 64;

/** How long a connection counts as read, in milliseconds: as long as a chunk takes at full pace. */
const FRESH_MS = 2_000;

/** Phases of a function call's time, and the age of what it read. */
export interface CallTime {
  /** Whether to start with another connection; the last third is for connections that were started. */
  readonly mayBegin: () => boolean;
  /** Whether to send another message; the last tenth is for recording progress. */
  readonly mayPost: () => boolean;
  /** Whether a connection still counts as read. @param readAt unix milliseconds */
  readonly isFresh: (readAt: number) => boolean;
}

/** @param remainingMs time until the call ends */
export function callTime(now: () => number, remainingMs: number): CallTime {
  const beganAt = now();
  const isWithin = (part: number) => now() - beganAt <= remainingMs * part;
  const isFresh = (readAt: number) => now() - readAt <= FRESH_MS;
  return { mayBegin: () => isWithin(2 / 3), mayPost: () => isWithin(0.9), isFresh };
}
