import { expect, test } from '@jest/globals';
import { connectionLimit } from './connectionLimit.ts';

const limits = (files: string) => () =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             1500                 1500                 processes
Max open files            ${files.padEnd(20)} 524288               files
`;

test.each([
  [undefined, '1000', 900],
  [500, '1000', 500],
  [5_000, '1000', 900],
  [500, 'unlimited', 500],
])('with a maximum of %s and %s open files, it is %s', (maximum, files, expected) => {
  expect(connectionLimit(maximum, limits(files))).toBe(expected);
});

test('without known limits of the process, the maximum applies', () => {
  expect(connectionLimit(500, () => '')).toBe(500);
  expect(connectionLimit(undefined, () => '')).toBe(Number.POSITIVE_INFINITY);
});

test('this process has a limit', () => {
  expect(connectionLimit(7)).toBe(7);
});
