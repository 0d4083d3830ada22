import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../testing/runs.ts';
import type { VariationType } from './flag.ts';
import { comparableValue, problemOfValue, requireValueOfType, valueJson } from './variationValue.ts';

describe('a value', () => {
  test.each<[VariationType, string]>([
    ['boolean', 'true'],
    ['number', '-0.5e3'],
    ['number', '1.0'],
    ['number', '-0'],
    ['number', '12345678901234567890'],
    ['json', ' {"id": 9007199254740993}'],
    ['string', ' 007'],
  ])('may have the type %s and be %j', (type, value) => {
    expect(problemOfValue(type, value)).toBeUndefined();
    expect(valueJson(type, value)).toBe(type === 'string' ? JSON.stringify(value) : value.trim());
  });

  test.each<[VariationType, string, string]>([
    ['number', '007', '7'],
    ['number', '-00', '-0'],
    ['number', '.5', '0.5'],
    ['number', '-.50e3', '-0.50e3'],
    ['number', '5.', '5'],
    ['number', '05.E3', '5E3'],
    ['number', ' 7 ', '7'],
    ['boolean', 'True', 'true'],
  ])('must have the canonical form of its type %s, unlike %j', (type, value, json) => {
    expect(problemOfValue(type, value)).toBe(`"${value}" must be written as ${json}`);
    expect(valueJson(type, value)).toBe(json);
  });

  test.each(['1e999', '{"a": [-1e999]}', `[${'9'.repeat(400)}]`, `{"a": ${'9'.repeat(300)}e10}`])(
    'cannot be JSON with a number that Go refuses: %s',
    (value) => {
      expect(problemOfValue('json', value)).toContain('is not valid JSON with numbers up to 1.8e308');
      expect(valueJson('json', value)).toBeUndefined();
    },
  );

  test.each(['1e308', '"1e999"', '{"1e999": 1e-999}', `[0.${'9'.repeat(400)}]`, '[12345678901234567890]'])(
    'can be JSON with any other number, and text: %s',
    (value) => expect(valueJson('json', value)).toBe(value),
  );

  test('is JSON without half of a character', () => {
    const value = '{"a": "\\ud83c", "b": "\\ud83c\\udf55"}';
    expect(problemOfValue('json', value)).toContain('has half of a character');
    expect(valueJson('json', value)).toBe('{"a": "\\ufffd", "b": "\\ud83c\\udf55"}');
  });

  test.each(['', '.', '-', '-.', 'e5', '.e5', '+5', '1e', '1,000', '0x10', 'NaN', 'Infinity', '1e999', '1 2', '1.2.3'])(
    'cannot be a number if it is %j',
    (value) => {
      expect(() => requireValueOfType('number', value)).toThrow(`"${value}" is not a number, for example 12.5`);
      expect(valueJson('number', value)).toBeUndefined();
    },
  );

  test('may be a number if JSON has the number in this form', () => {
    const text = fc.oneof(
      fc.double({ noNaN: true }).map(String),
      fc.stringMatching(/^-?\d{0,4}\.?\d{0,4}([eE][+-]?\d{0,2})?$/),
      fc.bigInt().map(String),
    );
    const law = fc.property(text, (value) => {
      expect(problemOfValue('number', value) === undefined).toBe(isFiniteJsonNumber(value));
      const json = valueJson('number', value);
      if (json !== undefined) expect([isFiniteJsonNumber(json), Number(json)]).toEqual([true, Number(value)]);
    });
    fc.assert(law, { numRuns: runs(500) });
  });
});

function isFiniteJsonNumber(text: string): boolean {
  try {
    return Number.isFinite(JSON.parse(text)) && text.trim() === text;
  } catch {
    return false;
  }
}

test('equal numbers are comparable as texts, of any size', () => {
  const groups = [
    ['1', '1.0', '01', '1e0', '10e-1', '1.000', ' 1'],
    ['-1', '-1.0'],
    ['0', '-0', '0.0', '0e9'],
    ['1234567890123456789'],
    ['1234567890123456788', '123456789012345678.8e1'],
    ['0.1', '.1', '1e-1'],
    ['100', '1E2', '1e+2'],
    ['text'],
  ];
  const texts = groups.map((group) => new Set(group.map((value) => comparableValue('number', value))));
  expect(texts.map(({ size }) => size)).toEqual(groups.map(() => 1));
  expect(new Set(texts.flatMap((each) => [...each])).size).toBe(groups.length);
  expect(comparableValue('string', '1.0')).toBe('1.0');
});
