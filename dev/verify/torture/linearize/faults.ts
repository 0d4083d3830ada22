/** Faults of the messages to readers. */
export const FAULTS = [
  /** A change never came, or an item is gone. */
  'lost',
  /** A change came twice on one connection. */
  'duplicate',
  /** Something older than what was acknowledged before it was asked for, or for another user. */
  'stale',
  /** An older change after a newer one, or a push before the answer. */
  'out of order',
  /** Nothing an SDK could make anything of, or that nobody wrote. */
  'malformed',
  /** A data-sync on an open connection without an answer. */
  'unanswered',
  /** A reader with a valid secret was turned away for good: 401, 403, or closed with 4003 or 1000. */
  'refused',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Told of each fault, with what it consists of. */
export type Report = (fault: Fault, what: string) => void;
