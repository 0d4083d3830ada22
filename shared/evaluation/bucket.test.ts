import { describe, expect, test } from '@jest/globals';
import { rolloutVectors } from '../testing/fixtures.ts';
import { bucketOf, isDecided, takes } from './bucket.ts';
import { md5Int32 } from './md5.ts';

describe.each(rolloutVectors())('the key $key', ({ key, int32le, bucket }) => {
  test('hashes as FeatBit hashes it', () => {
    expect(md5Int32(key)).toBe(int32le);
  });

  test('lies in the same bucket, bit for bit', () => {
    expect(bucketOf(key)).toBe(bucket);
  });
});

test('half of a surrogate pair is hashed as the replacement character, as .NET encodes it', () => {
  expect(md5Int32('flag\ud83d')).toBe(md5Int32('flag\ufffd'));
});

describe('takes', () => {
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
  ])('%s', (_, share, bucket, expected) => {
    expect(takes(share, bucket)).toBe(expected);
  });
});

test.each<[readonly [number, number], boolean]>([
  [[0, 1], true],
  [[0, 0], true],
  [[0, 0.999991], true],
  [[0, 0.5], false],
  [[0.5, 1], false],
  [[1, 1], false],
])('whether %j needs no bucket: %p', (share, expected) => {
  expect(isDecided(share)).toBe(expected);
});
