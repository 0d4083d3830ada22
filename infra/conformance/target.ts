import type { Tables } from '../../shared/store/table.ts';

/**
 * A running Flagwire to hold the suite against: somewhere to connect, and its flags table, through which the suite makes
 * environments of its own and touches no other.
 */
export interface Target {
  /** The SDKs' streaming URL, without path: they append `/streaming`. */
  readonly streamingUrl: string;
  /** The SDKs' polling and events URL. */
  readonly httpUrl: string;
  readonly tables: Tables;
  /** What it received on the insight endpoint so far, where the target can tell. */
  readonly insights?: () => string;
}

/** Gives the target of a run; cases call it inside tests only, as it is not there before. */
export type TargetOf = () => Target;
