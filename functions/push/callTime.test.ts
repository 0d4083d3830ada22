import { expect, test } from '@jest/globals';
import { callTime } from './callTime.ts';

test('begins connections for two thirds of a call’s time, and posts for nine tenths', () => {
  let now = 5_000;
  const time = callTime(() => now, 30_000);
  const after = (ms: number) => {
    now = 5_000 + ms;
    return [time.mayBegin(), time.mayPost()];
  };
  expect(after(0)).toEqual([true, true]);
  expect(after(20_000)).toEqual([true, true]);
  expect(after(20_001)).toEqual([false, true]);
  expect(after(27_000)).toEqual([false, true]);
  expect(after(27_001)).toEqual([false, false]);
});

test('counts a connection as read for two seconds', () => {
  const { isFresh } = callTime(() => 5_000, 30_000);
  expect([3_000, 2_999].map(isFresh)).toEqual([true, false]);
});
