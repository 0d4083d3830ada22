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
interface UsageBar {
  /** `2026-11-26T03` or `2026-11-26`. */
  readonly at: string;
  /** By variation id. */
  readonly counts: Readonly<Record<string, number>>;
}
