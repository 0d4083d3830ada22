/** New connections at a constant rate, or a pause. Times are in seconds. */
export type Phase =
  | { readonly name?: string; readonly duration: number; readonly arrivalRate: number }
  | { readonly pause: number };

/** The load of a run, over all workers. Durations are in seconds, rates in new connections a second. */
export interface LoadProfile {
  /** The artillery script with the flow: `loadtest/<script>.yml`. */
  readonly script: 'data-sync' | 'heartbeat' | 'push';
  /** One phase with new connections. That of one worker may follow a pause. */
  readonly phases: readonly Phase[];
  readonly variables: Variables;
  /** Maximum number of open connections. */
  readonly peak: number;
  /** Time until the last connection opens: the ramp of the reference's tables. */
  readonly rampS: number;
  /** Time from the first connection until all close: the scripts' variable `end`. */
  readonly durationS: number;
  /** Thresholds like artillery's `ensure`: upper limits of figures such as `sync.p99`. */
  readonly ensure: readonly Readonly<Record<string, number>>[];
}

/** Variables of the scripts. Times are in seconds. */
export interface Variables {
  /** Time between two messages of a connection. 0 turns them off. */
  readonly ping: number;
  /** Lifetime of each connection, if it does not last until the end. */
  readonly live?: number;
  readonly message?: 'ping' | 'echo';
  /** Minimum number of messages of each connection. The number is random, up to `atMost`. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The options of a run. runner/options.ts describes them. */
export interface Load {
  readonly rate: number;
  readonly rampS: number;
  readonly durationS: number;
  readonly pingS: number;
  readonly liveS: number;
  readonly connections: number;
  readonly flips: number;
  readonly flipEveryS: number;
  readonly messages: readonly [number, number];
  readonly everyS: number;
  readonly message: 'ping' | 'echo';
}

/** FeatBit's criteria: P99 under 200 ms, and less than 1 % of errors (its benchmark's page). */
export const REFERENCE_CRITERIA = [{ 'sync.p99': 200 }, { 'errors.percent': 1 }] as const;

/** Connections that a profile opens in all. */
export function countConnections({ phases }: Pick<LoadProfile, 'phases'>): number {
  return phases.reduce((sum, phase) => sum + ('arrivalRate' in phase ? phase.arrivalRate * phase.duration : 0), 0);
}
