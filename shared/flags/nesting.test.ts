import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_NESTING, NestedTooDeep, parseForeignJson } from './nesting.ts';

const TOO_DEEP = 'nested deeper than the limit of 2000 levels: flatten it';
const nested = (levels: number, [open, close]: readonly [string, string], inner = '') =>
  `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
const ARRAYS = ['[', ']'] as const;
const OBJECTS = ['{"a":', '}'] as const;
const MIXED = ['{"a":[],"b":[', ']}'] as const;

describe('JSON of somebody else', () => {
  test.each([
    ['arrays', MAX_NESTING, ARRAYS],
    ['objects', MAX_NESTING, OBJECTS],
    ['both', MAX_NESTING / 2, MIXED],
  ] as const)('is taken with as many levels of %s as the limit, and no more', (_, levels, brackets) => {
    const most = nested(levels, brackets, brackets === OBJECTS ? '1' : '');
    expect(JSON.stringify(parseForeignJson(most))).toBe(most);
    expect(() => parseForeignJson(nested(levels + 1, brackets))).toThrow(new NestedTooDeep());
  });

  test('may have any number of arrays and objects side by side, and brackets in its texts', () => {
    const wide = [
      ...Array.from({ length: 5_000 }, () => ({ list: [] })),
      '['.repeat(5_000),
      '\\"{'.repeat(5_000),
      '\\',
    ];
    const text = JSON.stringify(wide);
    expect(parseForeignJson(text)).toEqual(wide);
    expect(() => parseForeignJson(`[${text},${nested(MAX_NESTING, ARRAYS)}]`)).toThrow(TOO_DEEP);
  });

  test('that never ends is refused by its depth, or as no JSON', () => {
    expect(() => parseForeignJson('['.repeat(500_000))).toThrow(TOO_DEEP);
    expect(() => parseForeignJson(`"${'{'.repeat(5_000)}`)).toThrow(SyntaxError);
    expect(() => parseForeignJson(`${']'.repeat(5_000)}${'['.repeat(2_001)}`)).toThrow(SyntaxError);
    expect(() => parseForeignJson('')).toThrow(SyntaxError);
  });

  test('is what JSON.parse makes of it, whatever its texts hold', () => {
    const brackets = `[${'[],'.repeat(MAX_NESTING + 1)}`;
    const law = fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = `${brackets}${JSON.stringify(value)}]`;
      expect(parseForeignJson(text)).toEqual(JSON.parse(text));
      const deep = `${brackets}${JSON.stringify(value)},${nested(MAX_NESTING, ARRAYS)}]`;
      expect(() => parseForeignJson(deep)).toThrow(TOO_DEEP);
    });
    fc.assert(law);
  });
});
