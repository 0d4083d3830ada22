import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rounded, type Times } from './slice.ts';
import { p99Of, summarise, summariseMs } from './summary.ts';

const SHARES = [
  ['p50', 0.5],
  ['p90', 0.9],
  ['p99', 0.99],
  ['p999', 0.999],
] as const;

const milliseconds = fc.double({ min: 0.01, max: 60_000, noNaN: true });
const toTimes = (values: readonly number[]): Times => values.map((ms) => [rounded(ms), 1] as const);

test('percentiles are those of the times themselves, within the stated error', () => {
  fc.assert(
    fc.property(fc.array(milliseconds, { minLength: 1, maxLength: 3_000 }), (values) => {
      const summary = summarise([toTimes(values)]);
      const sorted = values.toSorted((a, b) => a - b);
      for (const [name, share] of SHARES) {
        const right = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number;
        expect(Math.abs((summary?.[name] ?? Number.NaN) - right)).toBeLessThanOrEqual(0.001 + right * 0.006);
      }
      expect(summary?.count).toBe(values.length);
      const [half, rest] = [values.slice(1), values.slice(0, 1)].map(toTimes) as [Times, Times];
      expect(Math.abs((p99Of([half, rest]) ?? Number.NaN) - (summary?.p99 ?? 0))).toBeLessThanOrEqual(
        0.001 + (summary?.p99 ?? 0) * 0.001,
      );
    }),
    { numRuns: 200 },
  );
});

describe('merging', () => {
  test('gives the same however times are dealt out among workers and seconds', () => {
    const dealt = fc.array(fc.tuple(milliseconds, fc.nat(6)), { minLength: 1, maxLength: 500 });
    fc.assert(
      fc.property(dealt, (pairs) => {
        const parts = Map.groupBy(pairs, ([, part]) => part);
        const split = [...parts.values()].map((part) => toTimes(part.map(([ms]) => ms)));
        expect(summarise(split)).toEqual(summarise([toTimes(pairs.map(([ms]) => ms))]));
      }),
    );
  });

  test('has no result without times', () => {
    expect(summarise([[], []])).toBeUndefined();
    expect(summariseMs([])).toMatchObject({ count: 0, p99: Number.NaN, mean: Number.NaN });
  });
});
