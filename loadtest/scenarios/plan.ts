import type { Phase, Script } from './script.ts';

/** What one run does, over all workers. Durations are in seconds, rates in new connections a second. */
export interface Plan {
  /** The artillery script that has the flow: `<script>.yml` in this folder's parent; `sdks` has one for each SDK. */
  readonly script: 'data-sync' | 'heartbeat' | 'push' | 'held' | 'sdks';
  readonly phases: readonly Phase[];
  readonly variables: Variables;
  /** Connections that are open at a time, at most. */
  readonly peak: number;
  /** Until the last phase that opens connections is over: the ramp of the reference's tables. */
  readonly rampS: number;
  /** From the first connection until all close: the scripts' variable `end`. */
  readonly durationS: number;
  /** SDKs by the name of artillery's scenario. */
  readonly sdks?: Script['sdks'];
  /** Flags of the environment that server SDKs ask for. */
  readonly flags?: number;
  /** When all connections are closed with 1001, and over which time. */
  readonly drain?: Script['drain'];
  /** What must hold, as artillery's `ensure` writes it: `sync.p99` and the like, at most so much. */
  readonly ensure: readonly Readonly<Record<string, number>>[];
}

/** Variables of the scripts. Times are in seconds. */
export interface Variables {
  /** Between two messages of a connection; 0 never. */
  readonly ping: number;
  /** How long each connection is held, if not until the end. */
  readonly live?: number;
  readonly message?: 'ping' | 'echo';
  /** How many messages each connection sends: a random number from this to `atMost`. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What a run of a scenario may be told; what each means stands with its option (runner/options.ts). */
export interface Load {
  readonly rate: number;
  readonly rampS: number;
  readonly durationS: number;
  readonly pingS: number;
  readonly liveS: number;
  readonly connections: number;
  readonly steps: number;
  readonly flips: number;
  readonly flipEveryS: number;
  readonly messages: readonly [number, number];
  readonly everyS: number;
  readonly message: 'ping' | 'echo';
  readonly script: Script;
  /** Clients that stages come to. */
  readonly goal?: number;
}

/** FeatBit's criteria: P99 under 200 ms, and less than 1 % of errors (its benchmark's page). */
export const REFERENCE_CRITERIA = [{ 'sync.p99': 200 }, { 'errors.percent': 1 }] as const;

/** Connections that a plan opens in all. */
export function countConnections({ phases }: Pick<Plan, 'phases'>): number {
  return phases.reduce((sum, phase) => sum + ('arrivalRate' in phase ? phase.arrivalRate * phase.duration : 0), 0);
}
