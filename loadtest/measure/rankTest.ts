import { wilcoxonRankSum } from 'simple-statistics';
import { median } from '../../shared/statistics/quantile.ts';

/** The difference between two groups of runs. */
export interface Shift {
  /** The median of all differences between a run of one group and a run of the other (Hodges and Lehmann, 1963). */
  readonly estimate: number;
  /** True if the ranks are higher than expected. This can be true with an estimate of 0, if most runs are equal. */
  readonly isAbove: boolean;
  /** The probability of such a difference in this direction if nothing changed. */
  readonly chance: number;
  /** The interval of the true difference. Each end is wrong with the probability of the level. Undefined for too few runs. */
  readonly interval?: readonly [from: number, to: number];
}

/**
 * Compares two groups by the exact Mann–Whitney test (1947). The test assumes no distribution, is robust against outliers, and handles
 * ties.
 *
 * @param level probability that an end of the interval is wrong
 * @throws Error for an empty group
 */
export function estimateShift(now: readonly number[], before: readonly number[], level: number): Shift {
  const differences = now.flatMap((a) => before.map((b) => a - b)).sort((a, b) => a - b);
  const estimate = median(differences);
  const rankSum = 2 * wilcoxonRankSum([...now], [...before]);
  const ways = waysOfSums(doubledRanks([...now, ...before]), now.length);
  const isAbove = rankSum >= now.length * (now.length + before.length + 1);
  const isAsFar = (sum: number) => (isAbove ? sum >= rankSum : sum <= rankSum);
  const chance = countShare(ways, isAsFar);
  const cut = findCut(now.length, before.length, level);
  if (cut === 0) return { estimate, isAbove, chance };
  return { estimate, isAbove, chance, interval: [differences[cut - 1], differences.at(-cut)] as [number, number] };
}

/** Returns true if the runs are sufficient: their most extreme order is rarer than the level. */
export function canTell(now: number, before: number, level: number): boolean {
  return findCut(now, before, level) > 0;
}

/** The minimum number of runs in each group. */
export function leastRuns(level: number): number {
  let runs = 1;
  while (!canTell(runs, runs, level)) runs++;
  return runs;
}

/** The position of the interval's ends among the sorted differences, counted from 1 at both sides. 0 if there is no interval. */
function findCut(now: number, before: number, level: number): number {
  const ranks = Array.from({ length: now + before }, (_, n) => 2 * (n + 1));
  const ways = waysOfSums(ranks, now);
  const least = now * (now + 1);
  let cut = 0;
  while (countShare(ways, (sum) => sum <= least + 2 * cut) <= level) cut++;
  return cut;
}

/** Twice the rank of each value. This is an integer also for the mean rank of equal values. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const less = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * less + equal + 1;
  });
}

/** The number of subsets of the ranks for each sum. */
function waysOfSums(ranks: readonly number[], chosen: number): ReadonlyMap<number, number> {
  const ways = Array.from({ length: chosen + 1 }, (_, n) => new Map(n === 0 ? [[0, 1]] : []));
  for (const rank of ranks) {
    for (let size = chosen; size > 0; size--) {
      const into = ways[size] as Map<number, number>;
      for (const [sum, count] of ways[size - 1] ?? []) into.set(sum + rank, (into.get(sum + rank) ?? 0) + count);
    }
  }
  return ways[chosen] ?? new Map();
}

function countShare(ways: ReadonlyMap<number, number>, isCounted: (sum: number) => boolean): number {
  let [counted, all] = [0, 0];
  for (const [sum, count] of ways) {
    all += count;
    if (isCounted(sum)) counted += count;
  }
  return counted / all;
}
