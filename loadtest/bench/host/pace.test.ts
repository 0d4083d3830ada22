import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bottleneckOf, distribution, dueBy, quantile, SHARES } from './pace.ts';

describe('the pace', () => {
  test('is even: each event is due within one interval of its time, all in the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 10_000 }), (rate, total) => {
        expect(dueBy(0, rate, total)).toBe(1);
        expect(dueBy((total / rate) * 1_000, rate, total)).toBe(total);
        const half = dueBy((total / rate) * 500, rate, total);
        expect(Math.abs(half - total / 2)).toBeLessThanOrEqual(1.5);
      }),
    );
  });
});

test('a quantile is one of the values, and NaN of none', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([51, 100, 100]);
  expect(quantile([], 0.5)).toBeNaN();
});

test.each([
  [{}, undefined],
  [{ achieved: 900 }, 'opened 900 a second in place of 1000'],
  [{ cpu: 0.97 }, 'used 97 % of its core'],
  [{ loopDelayMs: 80 }, 'was up to 80 ms late'],
])('a generator with %j is a bottleneck or not', (problem, expected) => {
  const healthy = { intended: 1_000, achieved: 999, cpu: 0.5, loopDelayMs: 3 };
  expect(bottleneckOf({ ...healthy, ...problem })).toBe(expected);
});

test('a distribution has its quantiles, and a curve over all shares', () => {
  const { p50, p99, max, curve } = distribution(Array.from({ length: 1_000 }, (_, n) => 999 - n));
  expect([p50, p99, max, curve.length, curve[0]]).toEqual([500, 990, 999, SHARES.length, 0]);
});
