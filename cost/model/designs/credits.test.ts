import { expect, test } from '@jest/globals';
import { hoursUntilThrottled, surplusHours, T2_MICRO_CREDITS } from './t2.ts';

test('at 85 % a t2.micro has used up its launch credits after 40 minutes, and a full balance after 192', () => {
  expect(hoursUntilThrottled(0.85, T2_MICRO_CREDITS.atLaunch) * 60).toBeCloseTo(40, 9);
  expect(hoursUntilThrottled(0.85) * 60).toBeCloseTo(192, 9);
});

test('at its baseline it runs for ever', () => {
  expect(hoursUntilThrottled(0.1)).toBe(Number.POSITIVE_INFINITY);
  expect(hoursUntilThrottled(0)).toBe(Number.POSITIVE_INFINITY);
});

test('earned credits cover the use of machines, and further use is surplus', () => {
  expect(
    surplusHours(
      Array.from({ length: 24 }, () => 0.1),
      24,
    ),
  ).toBeCloseTo(0, 9);
  expect(surplusHours([1, 1], 24)).toBe(0);
  expect(surplusHours([1, 1, 1, 1], 24)).toBeCloseTo(4 - 2.4, 9);
  expect(surplusHours([1, 1], 2)).toBeCloseTo(2 - 0.2, 9);
});
