/**
 * What happens in an environment, one value a line. The first line is a `state`, and another follows every few seconds.
 *
 * Locally the emulator tells of each connection and message as it passes. On AWS nobody may listen there: connections are
 * counted in their table, and syncs and pushes are CloudWatch's sums, so there is a `state` now and then and no other line
 * but `version`.
 */
export type LiveLine =
  | LiveState
  | LiveEvent
  | RecentEvents
  | ConnectionList
  | { readonly type: 'left-out'; readonly count: number };

/** The most events that a {@link RecentEvents} holds. */
export const RECENT_EVENTS = 200;
/** The most connections that a {@link ConnectionList} holds. */
export const LISTED_CONNECTIONS = 500;

/** The last events before the stream began, oldest first. Only where the source is `traffic`. */
export interface RecentEvents {
  readonly type: 'recent';
  readonly events: readonly LiveEvent[];
}

/** The newest connections, newest first; sent again when they change. Only where the source is `traffic`. */
export interface ConnectionList {
  readonly type: 'connections';
  readonly connections: readonly OpenConnection[];
}

/** A connection that is open. Times are unix milliseconds. */
export interface OpenConnection {
  readonly connection: string;
  readonly kind: ConnectionType;
  /** What it calls itself; empty where it says nothing. */
  readonly sdk: string;
  readonly since: number;
  /** The user key; empty for servers, and before the first data-sync. */
  readonly user: string;
  /** When its last data-sync was answered. */
  readonly syncedAt?: number;
}

/** What is connected, and what passed recently. */
export interface LiveState {
  readonly type: 'state';
  /** Unix milliseconds. */
  readonly at: number;
  /** `traffic`: as it passes; `table`: read from the table of connections, which holds those that asked for data. */
  readonly source: 'traffic' | 'table';
  readonly connections: ConnectionTotals;
  /** Sums over the time before `at`; undefined where nobody may read the metrics. */
  readonly recent?: RecentTotals;
  /** What these looks cost, where they cost anything. */
  readonly usdPerHour?: number;
  /** What could not be read, and what it would take. */
  readonly missing?: string;
}

export interface ConnectionTotals {
  readonly total: number;
  /** The count stopped here: there are more. */
  readonly isAtLeast: boolean;
  /** `relay`: FeatBit's agent. */
  readonly byType: Readonly<Record<ConnectionType, number>>;
  /** By what they call themselves, most first; `''` for those that say nothing. Empty on AWS, where nobody notes it. */
  readonly bySdk: readonly { readonly sdk: string; readonly count: number }[];
}

export type ConnectionType = 'client' | 'server' | 'relay';

/** What passed within `windowMs`. On AWS of the whole service: metrics do not know environments. */
export interface RecentTotals {
  readonly windowMs: number;
  readonly opened?: number;
  readonly syncs: number;
  /** Messages that changes were sent with. */
  readonly pushed: number;
  /** Transactions that changed something in the environment. */
  readonly changes?: number;
  readonly syncMsP95?: number;
  readonly pushMsP95?: number;
}

/** Something that happened, once; `at` is unix milliseconds. */
export type LiveEvent =
  | (ConnectionLine & { readonly type: 'opened' })
  | (ConnectionLine & { readonly type: 'closed'; readonly afterMs: number; readonly code: number })
  /** A handshake was refused with this status, of whatever environment it was for. */
  | { readonly type: 'refused'; readonly at: number; readonly status: number }
  /** A data-sync was answered. */
  | {
      readonly type: 'sync';
      readonly at: number;
      readonly connection: string;
      /** The user key, or nothing for servers. */
      readonly user: string;
      readonly flags: number;
      readonly segments: number;
      readonly ms: number;
    }
  /** A change was sent to `reached` connections, the last of them `ms` after it was written. */
  | {
      readonly type: 'push';
      readonly at: number;
      /** The flag's key or the segment's id. */
      readonly document: string;
      readonly version: number;
      readonly reached: number;
      readonly ms: number;
    }
  /** The environment's content changed, by whomever: ask for it again. */
  | { readonly type: 'version'; readonly at: number; readonly version: number };

interface ConnectionLine {
  readonly at: number;
  readonly connection: string;
  readonly kind: ConnectionType;
  readonly sdk: string;
}
