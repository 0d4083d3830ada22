import { expect, test } from '@jest/globals';
import { nearest } from './nearest.ts';

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
