/**
 * The lines of a live stream of the emulator. The first line is a `state`, and others follow every few seconds. Pages of
 * a deployment poll for a {@link Look}: connections are counted in their table, and syncs and pushes are sums of
 * CloudWatch.
 */
export type LiveLine =
  | LiveState
  | LiveEvent
  | RecentEvents
  | ConnectionList
  | { readonly type: 'left-out'; readonly count: number };

/** Maximum number of events in {@link RecentEvents}. */
export const RECENT_EVENTS = 200;
/** Maximum number of connections in {@link ConnectionList}. */
export const LISTED_CONNECTIONS = 500;

/** The last events before the stream began, oldest first. Only from the source `traffic`. */
interface RecentEvents {
  readonly type: 'recent';
  readonly events: readonly LiveEvent[];
}

/** The newest connections first, sent again after each change. Only from the source `traffic`. */
interface ConnectionList {
  readonly type: 'connections';
  readonly connections: readonly OpenConnection[];
}

/** An open connection. Times are unix milliseconds. */
export interface OpenConnection {
  readonly connection: string;
  readonly kind: ConnectionType;
  /** The name that the SDK sends, or empty. */
  readonly sdk: string;
  readonly since: number;
  /** The user key. Empty for servers, and before the first data-sync. */
  readonly user: string;
  /** Time of its last answered data-sync. */
  readonly syncedAt?: number;
}

/** What a page that polls gets. */
export interface Look {
  /** Of the environment, as in `EnvironmentContent`. */
  readonly version: number;
  readonly state: LiveState;
}

/** Current connections and recent traffic. */
export interface LiveState {
  readonly type: 'state';
  /** Unix milliseconds. */
  readonly at: number;
  /** `traffic`: observed. `table`: read from the connections table, which contains connections after their first data-sync. */
  readonly source: 'traffic' | 'table';
  readonly connections: ConnectionTotals;
  /** Sums over the time before `at`. Undefined without permission to read metrics. */
  readonly recent?: RecentTotals;
  /** The last ten minutes, oldest first. Only from the source `traffic`. */
  readonly steps?: readonly LiveStep[];
  /** Names data that could not be read, and how to get it. */
  readonly missing?: string;
}

/** Open connections at the end of ten seconds, and messages that were sent for changes in them. */
export interface LiveStep {
  /** Start in unix milliseconds. */
  readonly at: number;
  readonly connections: number;
  readonly pushed?: number;
}

export interface ConnectionTotals {
  readonly total: number;
  /** True if the count stopped at a limit. */
  readonly isAtLeast: boolean;
  /** `relay`: FeatBit's agent. */
  readonly byType: Readonly<Record<ConnectionType, number>>;
}

export type ConnectionType = 'client' | 'server' | 'relay';

/** Traffic within `windowMs`. On AWS, of all environments together. */
export interface RecentTotals {
  readonly windowMs: number;
  readonly opened?: number;
  readonly syncs: number;
  /** Messages sent for changes. */
  readonly pushed: number;
  readonly syncMsP95?: number;
  readonly pushMsP95?: number;
}

/** An event. `at` is unix milliseconds. */
export type LiveEvent =
  | (ConnectionLine & { readonly type: 'opened' })
  | (ConnectionLine & { readonly type: 'closed'; readonly afterMs: number; readonly code: number })
  /** A refused handshake of any environment, with its status. */
  | { readonly type: 'refused'; readonly at: number; readonly status: number }
  /** An answered data-sync. */
  | {
      readonly type: 'sync';
      readonly at: number;
      readonly connection: string;
      /** The user key, or empty for servers. */
      readonly user: string;
      readonly flags: number;
      readonly segments: number;
      readonly ms: number;
    }
  /** A change, sent to `reached` connections. The last one got it `ms` after the write. */
  | {
      readonly type: 'push';
      readonly at: number;
      /** The flag's key or the segment's id. */
      readonly document: string;
      readonly version: number;
      readonly reached: number;
      readonly ms: number;
    }
  /** The environment changed. */
  | { readonly type: 'version'; readonly at: number; readonly version: number };

interface ConnectionLine extends Pick<OpenConnection, 'connection' | 'kind' | 'sdk'> {
  readonly at: number;
}
