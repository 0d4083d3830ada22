import { expect, test } from '@jest/globals';
import { figure } from './document.ts';

test.each([
  [0.123456, '0.123'],
  [4.3, '4.3'],
  [4.267, '4.27'],
  [99.96, '100'],
  [1234.5, '1,235'],
  [Number.NaN, '–'],
  [undefined, '–'],
])('%d is written %s', (value, text) => {
  expect(figure(value)).toBe(text);
});
