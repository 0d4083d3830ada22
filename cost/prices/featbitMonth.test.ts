import { expect, test } from '@jest/globals';
import { FEATBIT_PARTS, featbitMonth } from './featbitMonth.ts';

test('adds all parts of FeatBit’s deployment', () => {
  expect(FEATBIT_PARTS).toHaveLength(9);
  expect(featbitMonth()).toBeCloseTo(388.27, 1);
});
