import CURVES from './curves.json' with { type: 'json' };

/**
 * Shares of a day's peak connections in each hour, for typical days: as many at night (`flat`), an application that people of one continent
 * work with (`office`), what they use in their own time (`evening`), and a broadcast (`one-hour`).
 */
export { CURVES };

/** One of {@link CURVES}. */
export type CurveName = keyof typeof CURVES;

/** The average of a curve over the whole day. */
export function mean(curve: readonly number[]): number {
  return curve.reduce((sum, share) => sum + share, 0) / curve.length;
}
