import { describe, expect, test } from '@jest/globals';
import { judge, timingTable, verdictTable } from './report.ts';

describe('judge', () => {
  test.each([
    [4.9, true],
    [5, true],
    [5.1, false],
  ])('%d of at most 5: %p', (measured, pass) => {
    expect(judge('a sync', measured, 5, 'µs')).toEqual({ name: 'a sync', measured, target: 5, unit: 'µs', pass });
  });
});

test('timings are compared with the first', () => {
  const text = timingTable(
    'one sync',
    [
      { name: 'ours', medianUs: 2, minUs: 1.5 },
      { name: 'theirs', medianUs: 5, minUs: 4 },
    ],
    'µs',
  );
  expect(text).toMatch(/one sync .* median µs .* min µs .* ratio/);
  expect(text).toMatch(/ours .* 2 .* 1\.5 .* 1×/);
  expect(text).toMatch(/theirs .* 5 .* 4 .* 2\.5×/);
});

test('a missed bound stands out', () => {
  const text = verdictTable([judge('a', 1, 2, 'ms'), judge('b', 3, 2, 'ms')]);
  expect(text).toMatch(/a .* 1 ms .* ≤ 2 ms .* pass/);
  expect(text).toMatch(/b .* 3 ms .* ≤ 2 ms .* MISS/);
});
