import { expect, test } from '@jest/globals';
import { didYouMean, nearest } from './nearest.ts';

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

test.each([
  ['stag', 'stage'],
  ['throtlingRate', 'throttlingRate'],
  ['throttlingBrust', 'throttlingBurst'],
  ['Tracing', 'tracing'],
  ['', 'stage'],
])('"%s" is nearest to %s', (text, expected) => {
  expect(nearest(text, ['throttlingRate', 'throttlingBurst', 'region', 'tracing', 'stage'])).toBe(expected);
});

test('chooses the first of two equally near names, and needs one', () => {
  expect(nearest('cat', ['car', 'bat'])).toBe('car');
  expect(() => nearest('cat', [])).toThrow('There is nothing to choose from.');
});
