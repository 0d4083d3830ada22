import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isNestedDeeper, MAX_NESTING, NestedTooDeep, parseForeignJson } from './nesting.ts';

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

  test('may have any number of arrays and objects side by side, and brackets in texts', () => {
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

  test('is refused by its depth, or as invalid JSON, if it never ends', () => {
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

describe('nesting of a JSON text', () => {
  test.each([
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['[[],{},[]]', 2],
    ['{"a":[{}]}', 3],
    ['{"[":"{\\"[[","b":[]}', 2],
    ['["\\\\",["\\\\\\"["]]', 2],
    [' [\n[ ] ] ', 2],
  ])('%s has %i levels', (text, levels) => {
    expect(isNestedDeeper(text, levels)).toBe(false);
    expect(isNestedDeeper(text, levels - 1)).toBe(levels > 0);
  });

  test('is found out without recursion, however deep it is', () => {
    const deep = '['.repeat(1_000_000);
    expect(isNestedDeeper(deep, 1_000_000)).toBe(false);
    expect(isNestedDeeper(deep, 999_999)).toBe(true);
    expect(isNestedDeeper('{"a":'.repeat(200_000), 100)).toBe(true);
  });

  test('is that of the value, for any text that JSON makes', () => {
    const levelsOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(isNestedDeeper(text, levelsOf(value))).toBe(false);
        expect(isNestedDeeper(text, levelsOf(value) - 1)).toBe(levelsOf(value) > 0);
      }),
    );
  });

  test('is not found too deep in invalid JSON', () => {
    for (const text of ['', ']]]', '"', '"\\', '[', 'x[']) expect(isNestedDeeper(text, 1)).toBe(false);
  });
});
