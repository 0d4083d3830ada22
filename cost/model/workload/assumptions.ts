import type { UsedFunction } from '../../prices/serviceFacts.ts';

/** The names of the assumptions. For each function: milliseconds billed for a call, and bytes of log that the call leaves itself. */
type Name =
  | `${UsedFunction}${'Ms' | 'LogBytes'}`
  | 'postMs'
  | `cold${'Share' | 'Ms'}`
  | `${'accessLog' | 'clientFlag' | 'frame' | 'handshake' | 'event' | 'host' | 'connection'}Bytes`
  | 'readersPerChange'
  | 'compressedShare'
  | 'eventsPerRequest'
  | 'documentFactor'
  | `${'t2' | 'fargate'}CoreFactor`
  | 'idleCores'
  | `${'poll' | 'ping' | 'sync' | 'push' | 'request'}CoreMs`;

/**
 * What the model has to assume in addition to workload and prices, each as one number. What each means, where it comes from, and how far it
 * may be off, is in assumptions/ranges.ts and assumptions/judged.json.
 */
export type Assumptions = Readonly<Record<Name, number>>;
