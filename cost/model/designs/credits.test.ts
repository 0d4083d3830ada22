import { expect, test } from '@jest/globals';
import { surplusHours } from './t2.ts';

test('earned credits cover the use of a machine, and further use is surplus', () => {
  expect(surplusHours(Array.from({ length: 24 }, () => 0.1))).toBeCloseTo(0, 9);
  expect(surplusHours([1, 1])).toBe(0);
  expect(surplusHours([1, 1, 1, 1])).toBeCloseTo(4 - 2.4, 9);
  expect(surplusHours([1, 1, 1, 1], 0.05)).toBeCloseTo(4 - 1.2, 9);
});
