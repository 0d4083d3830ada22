import { expect, test } from '@jest/globals';
import { didYouMean } from './nearest.ts';

test.each([
  ['returns-tru', '. Did you mean "returns-true"?'],
  ['New-Chekout', '. Did you mean "new-checkout"?'],
  ['something-else', ''],
  ['', ''],
])('suggests the nearest name for %j', (wanted, suggestion) => {
  expect(didYouMean(wanted, ['returns-true', 'new-checkout'])).toBe(suggestion);
});

test('suggests nothing without names', () => {
  expect(didYouMean('a', [])).toBe('');
});
