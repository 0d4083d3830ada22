import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inBatches } from './batches.ts';

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
const batchesOf = (sizes: readonly number[], count: number, bytes: number) =>
  inBatches(sizes, { count, bytes }, (size) => size);

describe('batches', () => {
  test.each([
    ['nothing', [], []],
    ['what fits exactly', [4, 6], [[4, 6]]],
    ['a byte too many', [4, 7], [[4], [7]]],
    ['an item too many', [1, 1, 1, 1], [[1, 1, 1], [1]]],
    ['an oversize item in the middle', [1, 11, 1], [[1], [11], [1]]],
    ['an oversize item before an empty one', [11, 0], [[11], [0]]],
    ['empty items', [0, 0, 0, 0], [[0, 0, 0], [0]]],
  ])('are split for %s', (_, sizes, expected) => {
    expect(batchesOf(sizes, 3, 10)).toEqual(expected);
  });

  test('keep items and order, keep the limits, and are as full as possible', () => {
    const input = fc.record({
      sizes: fc.array(fc.nat(50), { maxLength: 60 }),
      count: fc.integer({ min: 1, max: 8 }),
      bytes: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(input, ({ sizes, count, bytes }) => {
        const batches = batchesOf(sizes, count, bytes);
        expect(batches.flat()).toEqual(sizes);
        for (const [n, batch] of batches.entries()) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(count);
          expect(batch.length === 1 || sum(batch) <= bytes).toBe(true);
          const next = batches[n + 1]?.[0];
          expect(next === undefined || batch.length === count || sum(batch) + next > bytes).toBe(true);
        }
      }),
    );
  });

  test('measure every item once', () => {
    const measured: string[] = [];
    inBatches(['a', 'b', 'c'], { count: 2, bytes: 10 }, (item) => measured.push(item));
    expect(measured).toEqual(['a', 'b', 'c']);
  });

  test('depend on the count alone without a limit of bytes', () => {
    expect(batchesOf([1e9, 1e9, 1e9], 2, Number.POSITIVE_INFINITY)).toEqual([[1e9, 1e9], [1e9]]);
  });
});
