import { expect, test } from '@jest/globals';
import { spreadOf } from './spread.ts';

test('a share of all is reached when so many of all are', () => {
  const times = Float64Array.from([40, Number.NaN, 10, 30, 20]);
  expect(spreadOf(times, 4)).toEqual({ count: 4, p50: 20, p99: 40, all: 40 });
  expect(spreadOf(times, 5)).toEqual({
    count: 4,
    p50: 30,
    p99: Number.POSITIVE_INFINITY,
    all: Number.POSITIVE_INFINITY,
  });
});
