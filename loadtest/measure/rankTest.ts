import { wilcoxonRankSum } from 'simple-statistics';
import { median } from '../../shared/statistics/quantile.ts';

/** By how much one group of runs lies above another. */
export interface Shift {
  /** The median of all differences between a run of one and a run of the other (Hodges and Lehmann, 1963). */
  readonly estimate: number;
  /** Whether its ranks are higher than by chance; where most runs are equal they may be so although the estimate is 0. */
  readonly isAbove: boolean;
  /** The chance that runs which do not differ lie apart as far, in this direction. */
  readonly chance: number;
  /** Within which the true shift lies, but for the level's chance at each end; undefined for fewer runs than tell anything. */
  readonly interval?: readonly [from: number, to: number];
}

/**
 * Compares two groups by the test of Mann and Whitney (1947), exact for any number of runs: it assumes nothing of how runs are spread,
 * one that is far off moves it no more than one that is a little off, and ties are counted as they are.
 *
 * @param level the chance that each end of the interval may be wrong
 * @throws Error for a group without a value
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

/** Whether so many runs can tell anything apart: whether the most extreme order of them is rarer than the level. */
export function canTell(now: number, before: number, level: number): boolean {
  return findCut(now, before, level) > 0;
}

/** The least number of runs, the same in both groups, that can tell anything apart. */
export function leastRuns(level: number): number {
  let runs = 1;
  while (!canTell(runs, runs, level)) runs++;
  return runs;
}

/** Which difference is an interval's end, from 1, counted from the least and from the most; 0 where none is sure enough. */
function findCut(now: number, before: number, level: number): number {
  const ranks = Array.from({ length: now + before }, (_, n) => 2 * (n + 1));
  const ways = waysOfSums(ranks, now);
  const least = now * (now + 1);
  let cut = 0;
  while (countShare(ways, (sum) => sum <= least + 2 * cut) <= level) cut++;
  return cut;
}

/** Twice the rank of each value, which is whole also for the mean rank of equal ones. */
function doubledRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    const less = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return 2 * less + equal + 1;
  });
}

/** In how many ways so many of the ranks add up to each sum. */
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
