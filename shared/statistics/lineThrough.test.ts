import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineThrough } from './lineThrough.ts';

test('the straight line through points on one is that line', () => {
  const point = fc.integer({ min: -100, max: 100 });
  fc.assert(
    fc.property(point, point, fc.uniqueArray(point, { minLength: 2, maxLength: 9 }), (slope, intercept, xs) => {
      const line = lineThrough(xs.map((x) => [x, slope * x + intercept]));
      expect(line.slope).toBeCloseTo(slope, 6);
      expect(line.intercept).toBeCloseTo(intercept, 6);
    }),
  );
});
