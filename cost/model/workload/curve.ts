/** Shares of a day's peak connections in each hour, for typical days. */
export const CURVES = {
  /** Servers: as many at night. */
  flat: Array.from({ length: 24 }, () => 1),
  /** An application that people of one continent work with. */
  office: [
    0.02, 0.02, 0.02, 0.02, 0.02, 0.03, 0.1, 0.35, 0.75, 0.95, 1, 0.98, 0.85, 0.95, 1, 0.95, 0.8, 0.5, 0.25, 0.12, 0.08,
    0.05, 0.03, 0.02,
  ],
  /** What people of one continent use in their own time. */
  evening: [
    0.3, 0.18, 0.12, 0.1, 0.1, 0.12, 0.2, 0.35, 0.45, 0.5, 0.52, 0.55, 0.6, 0.58, 0.55, 0.58, 0.65, 0.75, 0.88, 0.97, 1,
    0.95, 0.75, 0.5,
  ],
  /** One hour a day, and no connections outside it: a broadcast. */
  'one-hour': Array.from({ length: 24 }, (_, hour) => (hour === 20 ? 1 : 0)),
} as const satisfies Record<string, readonly number[]>;

/** One of {@link CURVES}. */
export type CurveName = keyof typeof CURVES;

/** The average of a curve over the whole day. */
export function mean(curve: readonly number[]): number {
  return curve.reduce((sum, share) => sum + share, 0) / curve.length;
}
