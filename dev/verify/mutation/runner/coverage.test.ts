import { expect, test } from '@jest/globals';
import { coverageOfTests } from './coverage.ts';

test('what the hooks of a block come to counts for each of its tests', () => {
  const coverage = { static: { 1: 1 }, perTest: { block: { 2: 1, 3: 2 }, 'block a': { 3: 5 }, b: { 4: 1 } } };
  expect(coverageOfTests(coverage, new Map([['block', ['block a', 'block c']]]))).toEqual({
    static: { 1: 1 },
    perTest: { 'block a': { 2: 1, 3: 7 }, 'block c': { 2: 1, 3: 2 }, b: { 4: 1 } },
  });
});
