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
