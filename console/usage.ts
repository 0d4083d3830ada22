import type { StaleReason } from '../shared/flags/stale.ts';

/** Periods of a graph: 24 hours by hour, or 30 days by day. */
export const USAGE_PERIODS = ['day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

/** Evaluations of a flag in a period. */
export type ShownUsage =
  | { readonly kind: 'off' }
  | {
      readonly kind: 'counted';
      /** Oldest first, hours or days without evaluations included. */
      readonly bars: readonly UsageBar[];
      /** By variation id. */
      readonly counts: Readonly<Record<string, number>>;
      readonly total: number;
      /** The last hour with an evaluation, in UTC: `2026-11-26T03`. Absent without evaluations in 92 days. */
      readonly lastSeen?: string;
      /** Start of counting in the environment, in unix milliseconds. Absent if nothing was counted. */
      readonly startedAt?: number;
      /** Evaluations of the environment that were not counted. */
      readonly dropped: number;
    };

/** Evaluations in an hour or on a day, in UTC. */
export interface UsageBar {
  /** `2026-11-26T03` or `2026-11-26`. */
  readonly at: string;
  /** By variation id. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Maximum number of changes that {@link Activity} counts, and of flags whose evaluations it reads. */
export const ACTIVITY_CHANGES = 100;
export const ACTIVITY_FLAGS = 500;
/** Days of counts that are needed to call a flag stale. */
export const STALE_NEEDS_DAYS = 7;

/** Changes and evaluations of an environment. */
export interface Activity {
  /** Changes in 7 days, at most {@link ACTIVITY_CHANGES}. */
  readonly changes: number;
  readonly usage: { readonly kind: 'off' } | EnvironmentUsage;
}

/** Evaluations of all flags in the last 24 hours. */
export interface EnvironmentUsage {
  readonly kind: 'counted';
  /** By variation id, of all flags. */
  readonly bars: readonly UsageBar[];
  /** True if there are more than {@link ACTIVITY_FLAGS} flags. */
  readonly isAtLeast: boolean;
  readonly startedAt?: number;
  /** Flags that may not be needed any more. Absent if counts of {@link STALE_NEEDS_DAYS} are missing. */
  readonly stale?: readonly { readonly key: string; readonly reasons: readonly StaleReason[] }[];
  /** Functions that are known to evaluate flags without counts. */
  readonly uncounted: readonly string[];
}
