/** How much of the time of a function's call is left. */
export interface CallTime {
  /** Whether a connection may still be begun with: the last third is for those that were. */
  readonly mayBegin: () => boolean;
  /** Whether a message may still be sent: the last tenth is for noting what was. */
  readonly mayPost: () => boolean;
}

/** @param remainingMs until the call is ended */
export function callTime(now: () => number, remainingMs: number): CallTime {
  const beganAt = now();
  const isWithin = (part: number) => now() - beganAt <= remainingMs * part;
  return { mayBegin: () => isWithin(2 / 3), mayPost: () => isWithin(0.9) };
}
