import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { runs } from '../testing/runs.ts';
import { compileOperator } from './compileOperator.ts';
import { EXPRESSION_LIMIT, readExpression } from './readExpression.ts';

const finds = (pattern: string, text: string) => compileOperator('MatchRegex', pattern)(text);

describe('\\uXXXX', () => {
  test.each<[string, string, boolean]>([
    ['[\\u4e00-\\u9fa5]', '中文', true],
    ['[\\u4e00-\\u9fa5]', 'latin', false],
    ['^\\u0041\\u00e9{2}$', 'Aéé', true],
    ['^\\uABCD\\uabcd$', '\uabcd\uabcd', true],
    ['^[^\\u0000-\\u007F]+$', 'ü', true],
    ['^\\u002b$', '+', true],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^[\\ud83d\\ude00\\ud83d\\ude01]{2}$', '😁😀', true],
    ['^\\\\u0041$', '\\u0041', true],
    ['^\\\\u0041$', 'A', false],
    ['^\\Q\\u0041\\E$', '\\u0041', true],
    ['^\\Q\\u0041$', '\\u0041$', true],
  ])('is a character: %s in %j is %p', (pattern, text, expected) => {
    expect(finds(pattern, text)).toBe(expected);
  });

  test.each(['\\u', '\\u12', '\\u{1f600}', '\\uXYZA', '\\U0041', '\\Z', '\\e'])(
    '%s stays for RE2 to refuse',
    (pattern) => {
      expect(readExpression(pattern).source).toBe(pattern);
      expect(() => finds(pattern, 'x')).toThrow('is not a regular expression');
    },
  );

  test('matches any character but half of one, and no other character', () => {
    const law = fc.property(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0xffff }), (unit, other) => {
      fc.pre(unit < 0xd800 || unit > 0xdfff);
      const pattern = `^\\u${unit.toString(16).padStart(4, '0')}$`;
      expect(finds(pattern, String.fromCharCode(unit))).toBe(true);
      if (other !== unit) expect(finds(pattern, String.fromCharCode(other))).toBe(false);
    });
    fc.assert(law, { numRuns: runs(500) });
  });
});

describe('an expression that differs from .NET', () => {
  test.each([
    ['[a-z-[aeiou]]', '-['],
    ['[^]-[a]', '-['],
    ['[^^-[a]', '-['],
    ['[\\w-[\\d]]', '-['],
    ['x[[:alpha:]]', '[:'],
    ['[a[:^digit:]]', '[:'],
    ['\\ud83d', 'half'],
    ['\\ude00\\ud83d', 'half'],
    ['[\\uD800-\\uDBFF]', 'half'],
  ])('%s is warned of', (pattern, part) => {
    expect(readExpression(pattern).warnings).toEqual([expect.stringContaining(part)]);
  });

  test.each([
    '[-[]',
    '[^-[]',
    'a-[b]',
    '[a\\-[b]',
    '[a-]-[b]',
    '[:alpha:]',
    '\\[[a:]',
    '\\ud83d\\ude00',
    '\\u4e00',
    '\\u0d8a',
    '\\ud7ff',
  ])('%s is not: it means the same', (pattern) => {
    expect(readExpression(pattern).warnings).toEqual([]);
  });
});

describe('the size', () => {
  test.each([
    ['abc', 3],
    ['x{1000}', 1_000],
    ['x{5}', 5],
    ['x{2,}', 5],
    ['x{2,900}', 900],
    ['(a{10}b){10}', 120],
    ['((a{10}){10}){10}', 1_110],
    ['a{20}(?i){20}', 400],
    ['a{20}(?i-s){20}', 400],
    ['\\Q(?i)\\E{20}', 160],
    ['\\Q(a){200}', 10],
    ['[a-z{9}]{200}', 200],
    ['[]{9}]{200}', 200],
    ['\\({200}', 200],
    ['\\p{L}{200}', 200],
    ['\\p{Greek}{200}', 200],
    ['\\P{Lu}{200}', 200],
    ['\\x{9}{200}', 200],
    ['(\\)a){100}', 300],
    ['([)]){100}', 200],
    ['(a|b+){100}', 500],
    ['x*{200}', 400],
    ['x+{200}', 400],
    ['x?{200}', 400],
    ['[:alpha:]x{200}', 201],
    ['x{200}\\Q(?i)', 206],
    ['\\Q(\\E{200}', 1_000],
    [')a{200}', 200],
    ['x{99999999999}', 99_999_999_999],
  ])('is estimated: of %s it is %i', (pattern, size) => {
    expect(readExpression(pattern).size).toBe(size);
  });

  test('is never much less than the program that RE2 makes', () => {
    const piece = fc.constantFrom(
      ...['a', '.', '(', ')', '|', '*', '+', '?', '[ab]', '[^a', ']', '{3}', '{2,7}', '{4,}', '\\d', '\\(', '\\u0041'],
      ...['(?:', '(?i)', '[[:alpha:]-[', '\\pL', '\\p{Lu}', '\\Q(', '\\E', '^', '$', '-', '{', '}', '\\x41', '{20}'],
    );
    let compiled = 0;
    const law = fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { source, size } = readExpression(pieces.join(''));
      let program: number;
      try {
        program = RE2JS.compile(source).programSize();
      } catch {
        return;
      }
      compiled += 1;
      expect(program).toBeLessThanOrEqual(4 * size + 4);
    });
    fc.assert(law, { numRuns: runs(5_000) });
    expect(compiled).toBeGreaterThan(runs(5_000) / 10);
  });

  test('is the length of an expression above the limit, which is not read', () => {
    const pattern = '\\p{'.repeat(200_000);
    expect(readExpression(pattern)).toEqual({ source: pattern, size: pattern.length, warnings: [] });
  });

  test('may reach the limit', () => {
    const pattern = `\\u0041${'x'.repeat(EXPRESSION_LIMIT - 6)}`;
    expect(readExpression(pattern).source).toHaveLength(EXPRESSION_LIMIT + 2);
  });

  test('is refused above the limit, which the error names', () => {
    expect(finds(`^(?:${'x'.repeat(EXPRESSION_LIMIT - 6)})$`, 'y')).toBe(false);
    for (const pattern of ['x'.repeat(EXPRESSION_LIMIT + 1), 'x{1000}'.repeat(6), '\\u0041'.repeat(1_000)]) {
      for (const op of ['MatchRegex', 'NotMatchRegex']) {
        expect(() => compileOperator(op, pattern)).toThrow(
          /^is an expression of \d+ characters with its repeats written out; the limit is 5000: use a list of values, or/,
        );
      }
    }
  });
});
