import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseLines, rounded } from './slice.ts';

describe('times', () => {
  test('are microseconds off by half a percent at most, and never negative', () => {
    fc.assert(
      fc.property(fc.double({ min: -10, max: 3_600_000, noNaN: true }), (ms) => {
        const us = Math.max(0, ms * 1_000);
        expect(Number.isInteger(rounded(ms))).toBe(true);
        expect(Math.abs(rounded(ms) - us)).toBeLessThanOrEqual(Math.max(0.5, us * 0.005));
      }),
    );
  });

  test('have three significant digits, so that there are few of them', () => {
    expect([0.0004, 0.123, 1.2344, 12.345, 99_950].map(rounded)).toEqual([0, 123, 1_230, 12_300, 100_000_000]);
  });
});

describe('a file of slices', () => {
  test('is read without the line that was being written', () => {
    expect(parseLines('{"at":1}\n{"at":2}\n{"at":3,"op')).toEqual([{ at: 1 }, { at: 2 }]);
    expect(parseLines('')).toEqual([]);
  });

  test('is refused with another broken line', () => {
    expect(() => parseLines('{"at":1\n{"at":2}\n')).toThrow(SyntaxError);
  });
});
