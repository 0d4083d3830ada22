import { expect, test } from '@jest/globals';
import { correctedRegion } from './correctedRegion.ts';

test.each([
  ['eu-wst-1', 'eu-west-1'],
  ['us-eats-1', 'us-east-1'],
  ['eu-west-1', undefined],
  ['us-gov-west-1', undefined],
])('%s is corrected to %s', (region, corrected) => {
  expect(correctedRegion(region)).toBe(corrected);
});
