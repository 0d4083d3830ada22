import { describe, expect, test } from '@jest/globals';
import { parseNumber } from './number.ts';

/** Inputs of .NET's `double.TryParse` with floats and thousands separators in the invariant culture. */
describe('parseNumber', () => {
  test.each([
    ['0', 0],
    ['22', 22],
    ['-22', -22],
    ['+22', 22],
    ['007', 7],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['.25', 0.25],
    ['5.', 5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['2.5e-1', 0.25],
    ['1e400', Number.POSITIVE_INFINITY],
    ['1e-400', 0],
    ['9007199254740993', 9007199254740992],
    ['0.1', 0.1],
    ['1,000', 1000],
    ['1,2,3', 123],
    ['1,,2', 12],
    ['1,', 1],
    ['1,.5', 1.5],
    ['1,000.25', 1000.25],
    [' 7', 7],
    ['7\t\r\n', 7],
    ['\v\f7', 7],
    ['7\0\0', 7],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['+infinity', Number.POSITIVE_INFINITY],
    [' -INFINITY ', Number.NEGATIVE_INFINITY],
    ['\t\n\v\f\r infinity\t\n\v\f\r ', Number.POSITIVE_INFINITY],
  ])('%j is %d', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test.each([
    [''],
    [' '],
    ['abc'],
    ['22abc'],
    ['$1'],
    ['- 5'],
    ['--5'],
    ['5-'],
    ['(5)'],
    ['1 000'],
    [',1'],
    ['-,1'],
    ['1.5,000'],
    ['1.2.3'],
    ['.'],
    ['-'],
    ['1e'],
    ['1e+'],
    ['1e1.5'],
    ['e5'],
    ['0x10'],
    ['1_000'],
    ['1n'],
    ['١٢'],
    ['7\u00a0'],
    ['7\0x'],
    ['Inf'],
    ['∞'],
    ['xInfinity'],
    ['Infinityx'],
    ['x1'],
    ['1,0x'],
    ['NaN'],
    ['-nan'],
    ['true'],
  ])('%j is no number', (text) => {
    expect(parseNumber(text)).toBeNaN();
  });

  test('takes a long text in linear time', () => {
    expect(parseNumber(`${'1,'.repeat(200_000)}x`)).toBeNaN();
  });
});
