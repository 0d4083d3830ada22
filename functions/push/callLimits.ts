/** Connections served at the same time. */
export const CONCURRENCY = 64;

/** How long a connection counts as read, in milliseconds: as long as a chunk takes at full pace. */
export const FRESH_MS = 2_000;

/** Maximum number of messages between two records of progress, and so the maximum that a killed delivery repeats. */
const CHUNK = { posts: 500, seconds: 2 };

/** Messages between two records of progress: few enough that a rate-limited call has time for many chunks. */
export function postsPerChunk(postsPerSecond: number): number {
  return Math.min(CHUNK.posts, Math.ceil(postsPerSecond * CHUNK.seconds));
}

/** Phases of a function call's time. */
export interface CallTime {
  /** Whether to start with another connection; the last third is for connections that were started. */
  readonly mayBegin: () => boolean;
  /** Whether to send another message; the last tenth is for recording progress. */
  readonly mayPost: () => boolean;
}

/** @param remainingMs time until the call ends */
export function callTime(now: () => number, remainingMs: number): CallTime {
  const beganAt = now();
  const isWithin = (part: number) => now() - beganAt <= remainingMs * part;
  return { mayBegin: () => isWithin(2 / 3), mayPost: () => isWithin(0.9) };
}
