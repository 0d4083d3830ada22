import { mean, median } from '../../shared/statistics/quantile.ts';

/** Student's t for 95 %, two-sided, by degrees of freedom from 1. */
const T95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/**
 * The variation of a figure over runs. `halfInterval` is half the width of the 95 % interval of the mean, by Student's t. It is NaN for
 * fewer than two runs.
 *
 * @returns undefined for no runs
 */
export function measureSpread(values: readonly number[]) {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const runs = sorted.length;
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return undefined;
  const average = mean(sorted);
  const variance = sorted.reduce((sum, each) => sum + (each - average) ** 2, 0) / (runs - 1);
  const t = T95[runs - 2] ?? 1.96;
  return { runs, median: median(sorted), mean: average, min, max, halfInterval: t * Math.sqrt(variance / runs) };
}
