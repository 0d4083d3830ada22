import { describe, expect, test } from '@jest/globals';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../../testing/builders.ts';
import { parseCondition } from '../conditionText.ts';
import { explainFlag } from '../explain.ts';
import { addedSdkDifferences, sdkDifferenceLines } from './sdkDifferences.ts';

const flagWith = (...conditions: string[]) => aFlag({ rules: [aRule(conditions.map((text) => parseCondition(text)))] });

/** The lines for a user with these attributes. */
const linesFor = (condition: string, attributes: Record<string, string> = {}) =>
  sdkDifferenceLines(explainFlag(flagWith(condition), aUser('u1', attributes), []));

describe('an evaluation', () => {
  test.each<[condition: string, value: string, expected: string]>([
    ['v < 18', '17.5', 'in Java, "17.5" is no number: it does not match'],
    [
      'v >= 18',
      '1,000',
      'in Node, "1,000" is 1: it does not match; in Python, Go, Java and Rust, "1,000" is no number: it does not match',
    ],
    ['v > 17.5', '20', 'in Java, "17.5" is no number: it does not match'],
    [
      'v matches ^ann@',
      'ann@acme.com',
      'in Node, text and pattern are swapped: it does not match; in Java, the whole text must match: it does not match',
    ],
    [
      'v not matches ^ann@',
      'ann@acme.com',
      'in Node, text and pattern are swapped: it matches; in Java, the whole text must match: it matches',
    ],
    ['v != ""', '', 'in Go, empty text is like none: it matches'],
    ['v is false', 'falſe', 'in Node, Go and Java, "falſe" is another word: it matches'],
  ])('names the SDKs that differ on %s for %j', (condition, v, expected) => {
    expect(linesFor(condition, { v })).toEqual([`${condition}: ${expected}`]);
  });

  test('names the SDKs that differ for a missing attribute', () => {
    expect(linesFor('v != ""')).toEqual([
      'v != "": in Node, Python and Java, a missing attribute is not empty text: it matches; in Go, empty text is like none: it matches',
    ]);
    expect(linesFor('v contains a')).toEqual([
      'v contains a: in Node, a missing attribute fails: the flag has no value',
    ]);
    expect(linesFor('v = a')).toEqual([]);
  });

  test('names each condition of a segment once', () => {
    const rules = [aRule([aCondition('age', 'LessThan', '18')])];
    const flag = aFlag({ rules: [aRule([aCondition('User is in segment', null, '["a","b"]')])] });
    const segments = ['a', 'b'].map((id) => aSegment({ id, rules }));
    expect(sdkDifferenceLines(explainFlag(flag, aUser('u1', { age: '17.5' }), segments))).toEqual([
      'age < 18: in Java, "17.5" is no number: it does not match',
    ]);
  });

  test('names no SDK where all agree', () => {
    expect(linesFor('v < 18', { v: '17' })).toEqual([]);
    expect(linesFor('v = pro', { v: 'pro' })).toEqual([]);
    expect(linesFor('name = ""')).toEqual([]);
  });
});

test.each<[condition: string, expected: string[]]>([
  ['v = pro', []],
  ['v contains a', []],
  ['v < 18', ['in Java, only digits are a number, without a sign or a fraction']],
  ['v < -5', ['in Java, "-5" is no number']],
  ['v matches ^ann$', ['in Node, text and pattern are swapped']],
  ['v matches ^ann', ['in Node, text and pattern are swapped; in Java, the whole text must match']],
  ['v in a,""', ['in Node, Python, Go and Java, a missing attribute is not empty text']],
])('the new condition %s has the differences %j', (condition, expected) => {
  expect(addedSdkDifferences(undefined, { kind: 'flag', document: flagWith(condition) })).toEqual(expected);
  const after = { kind: 'flag', document: flagWith(condition, 'age = 1') } as const;
  expect(addedSdkDifferences({ kind: 'flag', document: flagWith(condition) }, after)).toEqual([]);
});
