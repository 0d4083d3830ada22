import { expect, test } from '@jest/globals';
import { figure, figureOfRuns } from './document.ts';

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

test.each([
  [[93, 91, 94], '93 (91 – 94)'],
  [[7], '7'],
  [[1721, Number.NaN], '1,721'],
  [[], '–'],
])('%j of several runs is written %s', (values, text) => {
  expect(figureOfRuns(values)).toBe(text);
});
