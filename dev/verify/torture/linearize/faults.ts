/** Faults of the messages to readers. */
export const FAULTS = [
  /** A change did not arrive, or an item is missing. */
  'lost',
  /** A change arrived twice on one connection. */
  'duplicate',
  /** An item older than the acknowledged one at the time of the data-sync, or for another user. */
  'stale',
  /** An older change after a newer one, or a push before the answer. */
  'out of order',
  /** A message that SDKs cannot read, or an item that no writer wrote. */
  'malformed',
  /** A data-sync on an open connection without an answer. */
  'unanswered',
  /** A reader with a valid secret was refused permanently: 401, 403, or closed with 4003 or 1000. */
  'refused',
] as const;

export type Fault = (typeof FAULTS)[number];

/** Told of each fault, with what it consists of. */
export type Report = (fault: Fault, what: string) => void;
