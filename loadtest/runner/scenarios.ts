import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import type { Load, LoadProfile } from '../scenarios/loadProfile.ts';
import { heartbeat, push, reference, staged, sustained } from '../scenarios/profiles.ts';

/** A scenario of the command line. */
export interface Scenario {
  readonly summary: string;
  readonly profile: (load: Load) => LoadProfile;
  /** Default values. A scenario has only the options with a default value. */
  readonly defaults: Partial<Load> & { readonly rates: readonly number[]; readonly runs: number };
  /** Values of `--quick`, for one short run at each rate. */
  readonly quick: Partial<Load>;
  /** New connections a second for the emulator. */
  readonly localRates: readonly number[];
  /** True if the campaign stops at the first rate that misses a threshold. */
  readonly isStaged?: boolean;
}

/** The names of scenarios. */
export type ScenarioName = 'reference' | 'sustained' | 'push' | 'heartbeat' | 'staged';

/** All scenarios by name. */
export const SCENARIOS: Readonly<Record<ScenarioName, Scenario>> = {
  reference: {
    summary:
      'runs FeatBit’s published benchmark. Connections open for 20 s at --rates a second, and stay open until 180 s',
    profile: reference,
    defaults: { rates: [1_000, 1_100, 1_200], runs: 10, rampS: 20, durationS: 180, pingS: SDK_PING_SECONDS },
    quick: { durationS: 45 },
    localRates: [100, 110, 120],
  },
  sustained: {
    summary: 'opens connections at a constant rate, and closes each after --lifetime',
    profile: sustained,
    defaults: { rates: [500], runs: 1, durationS: 60, liveS: 20, pingS: SDK_PING_SECONDS },
    quick: { durationS: 15, liveS: 10 },
    localRates: [40],
  },
  push: {
    summary:
      'changes a flag repeatedly, and measures the time until each client, the first one and the last one receive the change',
    profile: push,
    defaults: { rates: [500], runs: 1, connections: 10_000, flips: 30, flipEveryS: 2, pingS: SDK_PING_SECONDS },
    quick: { connections: 1_000, flips: 5, flipEveryS: 1 },
    localRates: [40],
  },
  heartbeat: {
    summary: 'opens connections at a constant rate. Each client sends a message every second for five minutes',
    profile: heartbeat,
    defaults: { rates: [20], runs: 1, durationS: 60, everyS: 1, messages: [280, 320], message: 'echo' },
    quick: { durationS: 10, messages: [10, 20] },
    localRates: [5],
  },
  staged: {
    summary:
      'runs stages of increasing load with clients that ping every second. Stops at the first stage that misses a threshold',
    profile: staged,
    defaults: { rates: [20, 100, 200], runs: 1, rampS: 10, durationS: 60, pingS: 1 },
    quick: { durationS: 15 },
    localRates: [5, 25, 50],
    isStaged: true,
  },
};
