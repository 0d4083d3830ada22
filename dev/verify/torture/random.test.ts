import { expect, test } from '@jest/globals';
import { Random } from './random.ts';

const draw = (seed: number, index?: number) => {
  const random = new Random(seed, index);
  return Array.from({ length: 1_000 }, () => random.next());
};

test('a seed and an index decide everything, and each decides something else', () => {
  expect(draw(1, 2)).toEqual(draw(1, 2));
  const firsts = [draw(1), draw(2), draw(1, 1), draw(2, 1), draw(0)].map(([first]) => first);
  expect(new Set(firsts).size).toBe(5);
});

test('numbers are spread evenly, within their bounds', () => {
  const random = new Random(3);
  const counts = [0, 0, 0, 0, 0];
  for (let n = 0; n < 50_000; n++) {
    const drawn = random.between(0, 4);
    counts[drawn] = (counts[drawn] ?? 0) + 1;
  }
  expect(counts).toHaveLength(5);
  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true);
  const mean = draw(4).reduce((sum, value) => sum + value, 0) / 1_000;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  expect(random.times(2, 2, (n) => n)).toEqual([0, 1]);
  expect(() => random.pick([])).toThrow('nothing to pick from');
});
