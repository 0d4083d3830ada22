import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rolloutVectors } from '../testing/fixtures.ts';
import { runs } from '../testing/runs.ts';
import { bucketOf, includesAllOrNone, includesBucket, md5Int32 } from './bucket.ts';

describe.each(rolloutVectors())('the key $key', ({ key, int32le, bucket }) => {
  test('hashes as FeatBit hashes it', () => {
    expect(md5Int32(key)).toBe(int32le);
  });

  test('lies in the same bucket, bit for bit', () => {
    expect(bucketOf(key)).toBe(bucket);
  });
});

test('hashes half of a surrogate pair as the replacement character, as in .NET', () => {
  expect(md5Int32('flag\ud83d')).toBe(md5Int32('flag\ufffd'));
});

describe('a share', () => {
  test.each<[string, readonly [number, number], number, boolean]>([
    ['everybody', [0, 1], 1, true],
    ['everybody, give or take a rounding error', [0, 0.999991], 1, true],
    ['not everybody when the gap is wider', [0, 0.99998], 1, false],
    ['nobody', [0, 0], 0, false],
    ['the lower bound', [0.25, 0.5], 0.25, true],
    ['the upper bound', [0.25, 0.5], 0.5, true],
    ['nothing below', [0.25, 0.5], 0.2499, false],
    ['nothing above', [0.25, 0.5], 0.5001, false],
    ['the one bucket of an empty share', [0.25, 0.25], 0.25, true],
    ['no other bucket of an empty share', [0.25, 0.25], 0.2500001, false],
    ['bucket 1 of an empty share at the end', [1, 1], 1, true],
    ['nothing when the bounds are swapped', [0.5, 0.25], 0.3, false],
  ])('takes %s', (_, share, bucket, expected) => {
    expect(includesBucket(share, bucket)).toBe(expected);
  });
});

describe('the accepted rounding error', () => {
  /** The numbers next to `1 - 1e-5` whose distance from 1 is just less and just more than 1e-5. */
  const within = 0.99999;
  const beyond = 0.99999 - 2 ** -53;

  test('is less than 1e-5, to the last bit', () => {
    expect([1 - within < 1e-5, 1 - beyond < 1e-5, within > beyond]).toEqual([true, false, true]);
    expect([includesBucket([0, within], 1), includesAllOrNone([0, within])]).toEqual([true, true]);
    expect([includesBucket([0, beyond], 1), includesAllOrNone([0, beyond])]).toEqual([false, false]);
  });

  test('is that of shares that begin at 0', () => {
    expect([includesBucket([1e-7, within], 1), includesAllOrNone([1e-7, within])]).toEqual([false, false]);
    expect([includesBucket([1e-7, 1], 0), includesBucket([1e-7, 1e-7], 0)]).toEqual([false, false]);
  });

  test('is none where shares end at 0', () => {
    expect([includesBucket([0, 1e-7], 0), includesAllOrNone([0, 1e-7])]).toEqual([true, false]);
  });
});

test('a share needs no bucket exactly when it takes the same of all', () => {
  const bound = fc.oneof(
    fc.constantFrom(0, 1, 0.99999, 0.99999 - 2 ** -53, 0.5),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const law = fc.property(bound, bound, (lower, upper) => {
    fc.pre(lower <= upper);
    const taken = [0, lower, (lower + upper) / 2, upper, 1].map((bucket) => includesBucket([lower, upper], bucket));
    if (includesAllOrNone([lower, upper])) expect(new Set(taken).size).toBe(1);
    else expect(taken).toContain(true);
    if (lower > 0 || (upper > 0 && upper < 0.99999)) expect(includesAllOrNone([lower, upper])).toBe(false);
  });
  fc.assert(law, { numRuns: runs(1_000) });
});

test.each<[readonly [number, number], boolean]>([
  [[0, 1], true],
  [[0, 0], true],
  [[0, 0.999991], true],
  [[0, 0.5], false],
  [[0.5, 1], false],
  [[1, 1], false],
])('whether %j needs no bucket: %p', (share, expected) => {
  expect(includesAllOrNone(share)).toBe(expected);
});
