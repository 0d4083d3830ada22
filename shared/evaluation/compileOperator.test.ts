import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  compileOperator,
  OPERATOR_NAMES,
  parseList,
  RE2,
  SEARCH_LIMIT_STEPS,
  UncompilableCondition,
  warningsOf,
} from './compileOperator.ts';
import { EXPRESSION_LIMIT } from './readExpression.ts';

/** The user's text, the operator, the condition's value, whether it matches. */
type Row = [string, string, string, boolean];

/** The rows of FeatBit's .NET and Rust SDKs. */
const FEATBIT_ROWS: Row[] = [
  ['10', 'BiggerThan', '9', true],
  ['10', 'BiggerThan', '11', false],
  ['10', 'BiggerEqualThan', '10', true],
  ['10', 'BiggerEqualThan', '11', false],
  ['10', 'LessThan', '11', true],
  ['10', 'LessThan', '9', false],
  ['10', 'LessEqualThan', '10', true],
  ['10', 'LessEqualThan', '9', false],
  ['v1.0.0', 'Equal', 'v1.0.0', true],
  ['v1.1.0', 'Equal', 'v1.0.0', false],
  ['v1.1.0', 'NotEqual', 'v1.1.0', false],
  ['v1.1.0', 'NotEqual', 'v1.0.0', true],
  ['vvip', 'Contains', 'vip', true],
  ['vvip', 'Contains', 'sv', false],
  ['svip', 'NotContain', 'vv', true],
  ['svip', 'NotContain', 'vip', false],
  ['abc', 'StartsWith', 'ab', true],
  ['abc', 'StartsWith', 'b', false],
  ['abc', 'EndsWith', 'bc', true],
  ['abc', 'EndsWith', 'cd', false],
  ['color', 'MatchRegex', 'colou?r', true],
  ['colour', 'MatchRegex', 'colorr?', false],
  ['colouur', 'NotMatchRegex', 'colou?r', true],
  ['color', 'NotMatchRegex', 'colou?r', false],
  ['a', 'IsOneOf', '["a","b"]', true],
  ['c', 'IsOneOf', '["a","b"]', false],
  ['c', 'NotOneOf', '["a","b"]', true],
  ['a', 'NotOneOf', '["a","b"]', false],
  ['true', 'IsTrue', '', true],
  ['TRue', 'IsTrue', '', true],
  ['not-true-string', 'IsTrue', '', false],
  ['false', 'IsFalse', '', true],
  ['falSE', 'IsFalse', '', true],
  ['not-false-string', 'IsFalse', '', false],
  ['a', 'IsOneOf', 'null', false],
  ['NaN', 'BiggerThan', '0', false],
  ['1', 'BiggerThan', 'NaN', false],
  ['Infinity', 'LessThan', '1', false],
];

/** Further behavior of FeatBit's server. */
const SERVER_ROWS: Row[] = [
  ['a', 'NotOneOf', 'null', true],
  ['a', 'IsOneOf', '[]', false],
  ['a', 'NotOneOf', '[]', true],
  ['a', 'IsOneOf', '[null,"a"]', true],
  ['', 'IsOneOf', '[null]', false],
  ['', 'IsOneOf', '[""]', true],
  ['A', 'IsOneOf', '["a"]', false],
  ['10', 'Equal', '10.0', false],
  ['A', 'Equal', 'a', false],
  ['', 'Equal', '', true],
  ['abc', 'Contains', '', true],
  ['abc', 'StartsWith', '', true],
  ['abc', 'EndsWith', '', true],
  ['abc', 'NotContain', '', false],
  ['ABC', 'Contains', 'b', false],
  ['abc', 'StartsWith', 'a\u200db', false],
  ['10', 'LessThan', '10', false],
  ['10', 'BiggerThan', '10', false],
  ['1,000', 'Equal', '1000', false],
  ['1,000', 'BiggerEqualThan', '1000', true],
  ['22abc', 'BiggerThan', '1', false],
  ['', 'LessThan', '1', false],
  ['1', 'LessThan', '', false],
  ['Infinity', 'LessEqualThan', 'Infinity', true],
  ['0.30000000000000004', 'LessEqualThan', '0.3', false],
  ['a colour b', 'MatchRegex', 'colou?r', true],
  ['COLOR', 'MatchRegex', 'color', false],
  ['COLOR', 'MatchRegex', '(?i)color', true],
  ['用户-1', 'MatchRegex', '^用户-\\d$', true],
  ['x', 'MatchRegex', '', true],
  ['TRUE ', 'IsTrue', 'IsTrue', false],
  ['1', 'IsTrue', '', false],
  ['0', 'IsFalse', '', false],
];

describe('compileOperator', () => {
  test.each([...FEATBIT_ROWS, ...SERVER_ROWS])('%j %s %j is %p', (text, op, value, expected) => {
    expect(compileOperator(op, value)(text)).toBe(expected);
  });

  test.each([
    [null, 'unknown operator null'],
    ['', 'unknown operator ""'],
    ['NotContains', 'unknown operator "NotContains"'],
    ['equal', 'unknown operator "equal"'],
    ['toString', 'unknown operator "toString"'],
  ])('does not know the operator %j', (op, message) => {
    expect(() => compileOperator(op, 'x')).toThrow(new UncompilableCondition(message));
  });

  test.each([['['], ['(?=ahead)x'], ['(?<!behind)x'], ['(a)\\1'], ['a{1001}'], ['(?:(?:a{20}){20}){10}']])(
    'refuses the pattern %s under both polarities',
    (pattern) => {
      for (const op of ['MatchRegex', 'NotMatchRegex']) {
        expect(() => compileOperator(op, pattern)).toThrow(UncompilableCondition);
        expect(() => compileOperator(op, pattern)).toThrow('is not a regular expression that runs in linear time');
      }
    },
  );

  test.each([
    ['MatchRegex', `(${'x'.repeat(4_000)}`],
    ['IsOneOf', 'x'.repeat(4_000)],
    ['x'.repeat(4_000), ''],
  ])('says in a line why it refuses, however long the value or the operator is', (op, value) => {
    expect(() => compileOperator(op, value)).toThrow(/^.{1,240}$/);
  });

  test.each([['not-json'], ['"a"'], ['{}'], ['1'], ['[1]'], ['["a",["b"]]'], ['']])(
    'refuses the list %s under both polarities',
    (list) => {
      for (const op of ['IsOneOf', 'NotOneOf']) {
        expect(() => compileOperator(op, list)).toThrow(UncompilableCondition);
        expect(() => compileOperator(op, list)).toThrow('is not a JSON array of strings');
      }
    },
  );

  test('a long bad list is cut short in the message', () => {
    const says = (begin: string) => `is not a JSON array of strings: ${JSON.stringify(begin)}`;
    expect(() => compileOperator('IsOneOf', 'x'.repeat(10_000))).toThrow(says('x'.repeat(80)));
    expect(() => compileOperator('IsOneOf', `[${'1,'.repeat(5_000)}1]`)).toThrow(says(`[${'1,'.repeat(39)}1`));
  });

  test('a refusal has its name, and the reason of the library that refused', () => {
    const refusal = (op: string, value: string) => {
      try {
        return compileOperator(op, value);
      } catch (error) {
        return error;
      }
    };
    const cause = { message: expect.any(String) };
    expect(refusal('MatchRegex', '(')).toMatchObject({ name: 'UncompilableCondition', cause });
    expect(refusal('IsOneOf', '[')).toMatchObject({ name: 'UncompilableCondition', cause });
  });

  test('an expression that backtracks exponentially elsewhere takes linear time', () => {
    expect(compileOperator('MatchRegex', '^(a+)+$')(`${'a'.repeat(32_000)}!`)).toBe(false);
  });

  describe('an expression with many repeats', () => {
    const COUNTED = 'a[ab]{300}c';
    /** Steps for the instructions that `RE2JS.programSize` counts. */
    const MOST = Math.floor(SEARCH_LIMIT_STEPS / 304);
    const found = (length: number) => `a${'b'.repeat(300)}c`.padEnd(length, 'x');
    let skipped: string[] = [];
    const matches = (op: string) => compileOperator(op, COUNTED, (message) => skipped.push(message));
    beforeEach(() => {
      skipped = [];
    });

    test('is searched for in a text up to its limit, under both polarities', () => {
      expect(matches('MatchRegex')(found(MOST))).toBe(true);
      expect(matches('NotMatchRegex')(found(MOST))).toBe(false);
      expect(matches('NotMatchRegex')('x'.repeat(MOST))).toBe(true);
      expect(skipped).toEqual([]);
    });

    test.each(['MatchRegex', 'NotMatchRegex'])(
      'does not hold for a longer text by %s, which is reported once',
      (op) => {
        const condition = matches(op);
        for (const text of [found(MOST + 1), 'x'.repeat(MOST + 1)]) expect(condition(text)).toBe(false);
        expect(skipped).toEqual([
          `did not hold for a text of ${MOST + 1} characters: its expression searches up to ${MOST}: use fewer or smaller repeats`,
        ]);
      },
    );

    test('needs nobody to report to', () => {
      expect(compileOperator('NotMatchRegex', COUNTED)('x'.repeat(MOST + 1))).toBe(false);
    });

    test('may have as many instructions as the limit for a text of 100 characters', () => {
      const longest = compileOperator('MatchRegex', `${'[xy]'.repeat(EXPRESSION_LIMIT / 4 - 1)}|z`);
      expect(longest('z'.padStart(100, '.'))).toBe(true);
    });
  });

  test('a matcher keeps no state between users', () => {
    const matches = compileOperator('MatchRegex', 'b');
    expect(['ab', 'ab', 'a', 'ab'].map(matches)).toEqual([true, true, false, true]);
  });
});

test('parseList tells JSON null from an empty list', () => {
  expect(parseList('null')).toBeNull();
  expect(parseList('[]')).toEqual([]);
  expect(parseList('["a",null,"a"]')).toEqual(['a', 'a']);
});

test('warns only of expressions', () => {
  for (const op of ['MatchRegex', 'NotMatchRegex']) expect(warningsOf(RE2, op, '[a-z-[x]]')).toHaveLength(1);
  for (const op of ['Equal', 'Contains', null]) expect(warningsOf(RE2, op, '[a-z-[x]]')).toEqual([]);
});

test('the sixteen operators go by FeatBit’s names', () => {
  expect([...OPERATOR_NAMES].sort()).toEqual([
    'BiggerEqualThan',
    'BiggerThan',
    'Contains',
    'EndsWith',
    'Equal',
    'IsFalse',
    'IsOneOf',
    'IsTrue',
    'LessEqualThan',
    'LessThan',
    'MatchRegex',
    'NotContain',
    'NotEqual',
    'NotMatchRegex',
    'NotOneOf',
    'StartsWith',
  ]);
});
