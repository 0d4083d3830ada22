import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../testing/arbitraries/text.ts';
import { runs } from '../testing/runs.ts';
import { compileOperator, OPERATOR_NAMES } from './compileOperator.ts';

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\.', 'ü', '(?:ab|b)', '(a|1)');
const quantified = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}')).map((parts) => parts.join(''));
const pattern = fc
  .tuple(fc.constantFrom('', '^'), fc.array(quantified, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$'))
  .map(([start, body, end]) => start + body.join('') + end);
const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '.', 'ü', '😀', ' '), maxLength: 8 });

test('plain regular expressions mean what they mean to JavaScript', () => {
  const law = fc.property(pattern, text, (expression, subject) => {
    const expected = new RegExp(expression, 'u').test(subject);
    expect(compileOperator('MatchRegex', expression)(subject)).toBe(expected);
    expect(compileOperator('NotMatchRegex', expression)(subject)).toBe(!expected);
  });
  fc.assert(law, { numRuns: runs(2000) });
});

test('a matcher that has been compiled answers for any text', () => {
  const law = fc.property(fc.constantFrom(...OPERATOR_NAMES), anyText(), anyText(), (op, value, subject) => {
    const list = JSON.stringify([value]);
    const matches = compileOperator(op, op.endsWith('OneOf') ? list : op.endsWith('Regex') ? 'a+|\\d$' : value);
    expect(typeof matches(subject)).toBe('boolean');
  });
  fc.assert(law, { numRuns: runs(1000) });
});
