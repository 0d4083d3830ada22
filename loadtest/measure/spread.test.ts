import { describe, expect, test } from '@jest/globals';
import { measureSpread } from './spread.ts';

describe('the spread of runs', () => {
  test('has median, mean, least, most, and the interval of the mean by Student’s t', () => {
    const spread = measureSpread([4, 1, 3, 2, 5]);
    expect(spread).toMatchObject({ runs: 5, median: 3, mean: 3, min: 1, max: 5 });
    // s = √2.5, t(4) = 2.776: worked by hand.
    expect(spread?.halfInterval).toBeCloseTo((2.776 * Math.sqrt(2.5)) / Math.sqrt(5), 3);
  });

  test('has a median between the two in the middle, and no interval for one run', () => {
    expect(measureSpread([1, 2, 10, 20])?.median).toBe(6);
    expect(measureSpread([7])?.halfInterval).toBeNaN();
  });

  test('leaves out what was not measured', () => {
    expect(measureSpread([1, Number.NaN, 3])).toMatchObject({ runs: 2, median: 2 });
    expect(measureSpread([Number.NaN])).toBeUndefined();
  });
});
