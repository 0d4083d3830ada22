import { expect, test } from '@jest/globals';
import { sumOf } from './sumOf.ts';

test('a sum is of what each has; nothing sums to 0', () => {
  expect([sumOf(['a', 'bcd'], ({ length }) => length), sumOf([], () => 1)]).toEqual([4, 0]);
});
