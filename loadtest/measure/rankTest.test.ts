import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canTell, estimateShift, leastRuns } from './rankTest.ts';

describe('the shift between two groups of runs', () => {
  test('equals the literature’s (Hollander and Wolfe, 1973, p. 69, permeability)', () => {
    const now = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    const before = [1.15, 0.88, 0.9, 0.74, 1.21];
    const { estimate, chance, interval = [] } = estimateShift(now, before, 0.025);
    expect(estimate).toBeCloseTo(0.305);
    expect(chance).toBeCloseTo(0.1272, 4);
    expect(interval.map((end) => end.toFixed(2))).toEqual(['-0.15', '0.76']);
  });

  test('is as rare as the order if the groups do not overlap', () => {
    expect(estimateShift([6, 7, 8, 9, 10], [1, 2, 3, 4, 5], 0.05)).toEqual({
      estimate: 5,
      isAbove: true,
      chance: 1 / 252,
      interval: [3, 7],
    });
  });

  test('is told from too few runs as an estimate alone', () => {
    expect(estimateShift([9, 10], [1, 2], 0.05)).toEqual({ estimate: 8, isAbove: true, chance: 1 / 6 });
  });

  test('counts equal values as what they are', () => {
    expect(estimateShift([0, 0, 0, 0], [0, 0, 0, 0], 0.05)).toMatchObject({ estimate: 0, chance: 1, interval: [0, 0] });
    // Of the 252 ways to deal out six ones and four noughts, six give five ones to the first.
    expect(estimateShift([1, 1, 1, 1, 1], [0, 0, 0, 0, 1], 0.05).chance).toBeCloseTo(6 / 252);
  });
});

describe('the shift if most runs are equal', () => {
  const noughts = (count: number) => Array<number>(count).fill(0);

  test('has the direction of the ranks, though the median of all differences is 0', () => {
    const some = [...noughts(11), ...Array<number>(9).fill(0.3)];
    const [up, down] = [estimateShift(some, noughts(20), 0.05), estimateShift(noughts(20), some, 0.05)];
    expect([up.estimate, down.estimate]).toEqual([0, 0]);
    expect([up.isAbove, down.isAbove]).toEqual([true, false]);
    // Of all ways to deal out nine that are more, those that give all to the same twenty of forty.
    const chance = Array.from({ length: 9 }, (_, n) => (20 - n) / (40 - n)).reduce((all, each) => all * each);
    for (const each of [up, down]) expect(each.chance).toBeCloseTo(chance, 10);
  });

  test('is as sure in the other direction, and never against the estimate', () => {
    const group = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(group, group, (now, before) => {
        const [a, b] = [estimateShift(now, before, 0.05), estimateShift(before, now, 0.05)];
        // Both lie just where they would by chance.
        if (a.isAbove === b.isAbove) return;
        expect(b.chance).toBeCloseTo(a.chance);
        expect(a.estimate * (a.isAbove ? 1 : -1)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test('moves an end of the interval for an outlier, at most to the next runs', () => {
  const before = [10, 11, 12, 13, 14, 15];
  const near = estimateShift([10.5, 11.5, 12.5, 13.5, 14.5, 16], before, 0.05);
  const far = estimateShift([10.5, 11.5, 12.5, 13.5, 14.5, 9_000], before, 0.05);
  expect([far.estimate, far.chance]).toEqual([near.estimate, near.chance]);
  expect(far.interval).toEqual([-1.5, 3.5]);
});

describe('the shift between any groups of runs', () => {
  const group = fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 8 });
  const level = fc.double({ min: 0.001, max: 0.1, noNaN: true });

  test('has a chance below the level exactly if its interval excludes 0', () => {
    fc.assert(
      fc.property(group, group, level, (now, before, level) => {
        fc.pre(new Set([...now, ...before]).size === now.length + before.length);
        const { estimate, chance, interval } = estimateShift(now, before, level);
        const [from = -1, to = 1] = interval ?? [];
        expect(estimate < 0 ? to < 0 : from > 0).toBe(chance <= level && estimate !== 0);
      }),
    );
  });

  test('is the opposite if the groups change places', () => {
    fc.assert(
      fc.property(group, group, level, (now, before, level) => {
        const [a, b] = [estimateShift(now, before, level), estimateShift(before, now, level)];
        expect(b.estimate).toBeCloseTo(-a.estimate);
        expect(b.interval).toEqual(a.interval && [-a.interval[1], -a.interval[0]].map((end) => end + 0));
      }),
    );
  });
});

test.each([
  [0.05, 3],
  [0.05 / 3, 4],
  [0.05 / 12, 5],
  [0.05 / 46, 6],
])('needs enough runs for its level: for %d, %i of each', (level, runs) => {
  expect(leastRuns(level)).toBe(runs);
  expect(canTell(runs, runs, level)).toBe(true);
  expect(canTell(runs - 1, runs, level)).toBe(false);
});
