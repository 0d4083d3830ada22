/** What a message breaks. */
export type Violation =
  /** A change did not arrive, or an item is missing. */
  | 'lost'
  /** A change arrived twice on one connection. */
  | 'duplicate'
  /** An item older than the acknowledged one at the time of the data-sync, or for another user. */
  | 'stale'
  /** An older change after a newer one, or a push before the answer. */
  | 'out of order'
  /** A message that SDKs cannot read, or an item that no writer wrote. */
  | 'malformed';

/** Called with each violation and its description. */
export type Report = (violation: Violation, what: string) => void;
