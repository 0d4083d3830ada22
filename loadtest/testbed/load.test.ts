import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueBy } from './load.ts';

describe('the pace', () => {
  test('spaces events evenly, and reaches their number', () => {
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
