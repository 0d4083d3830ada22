import { expect, test } from '@jest/globals';
import { Random } from './random.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const numbers = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  for (const number of numbers(7)) expect(number >= 0 && number < 1).toBe(true);
});

test('samples are distinct items', () => {
  const random = new Random(1);
  expect(new Set(random.sample([1, 2, 3, 4], 3)).size).toBe(3);
  expect(random.sample([1, 2], 5).sort()).toEqual([1, 2]);
});
