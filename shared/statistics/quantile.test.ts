import { expect, test } from '@jest/globals';
import { mean, median, medianItem, quantile } from './quantile.ts';

test.each([
  [[7], 7],
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[], Number.NaN],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('a quantile is one of the values, and NaN of none', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 51, 99, 100]);
  expect(quantile([], 0.5)).toBeNaN();
});

test('the median item is one of the items, the lower of two', () => {
  const items = [4, 1, 3, 2].map((ms) => ({ ms }));
  expect(medianItem(items, ({ ms }) => ms)).toBe(items[3]);
  expect(medianItem([], Number)).toBeUndefined();
});

test('the mean of none is NaN', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBeNaN();
});
