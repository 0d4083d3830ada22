import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { attributeConditionArbitrary } from '../testing/arbitraries/condition.ts';
import { anyText } from '../testing/arbitraries/text.ts';
import { runs } from '../testing/runs.ts';
import { formatCondition, OPERATOR_WORDS, parseCondition } from './conditionText.ts';
import { neverMatches } from './neverMatches.ts';

const blank = fc.constantFrom(' ', '\t', '', ',', '"', '\\', '=', 'in', 'segment', '[', 'user', 'not');
const text = fc.oneof(
  anyText(8),
  fc.array(fc.oneof(blank, anyText(2)), { maxLength: 4 }).map((parts) => parts.join('')),
);
const attribute = text.filter((name) => name !== '' && name !== IN_SEGMENT && name !== NOT_IN_SEGMENT);
const list = fc.array(text, { maxLength: 4 }).map((items) => JSON.stringify(items));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true })).map(String);

const valid: fc.Arbitrary<Condition> = fc
  .oneof(
    fc.record({
      property: attribute,
      op: fc.constantFrom('Equal', 'NotEqual', 'Contains', 'NotContain', 'StartsWith', 'EndsWith'),
      value: text,
    }),
    fc.record({
      property: attribute,
      op: fc.constantFrom('LessThan', 'LessEqualThan', 'BiggerThan', 'BiggerEqualThan'),
      value: number,
    }),
    fc.record({
      property: attribute,
      op: fc.constantFrom('MatchRegex', 'NotMatchRegex'),
      value: fc.constantFrom('^a|b$', '\\d+ ', ''),
    }),
    fc.record({ property: attribute, op: fc.constantFrom('IsOneOf', 'NotOneOf'), value: list }),
    fc.record({ property: attribute, op: fc.constantFrom('IsTrue', 'IsFalse'), value: fc.constant('') }),
    fc.record({ property: fc.constantFrom(IN_SEGMENT, NOT_IN_SEGMENT), op: fc.constant(null), value: list }),
  )
  .filter((condition) => neverMatches(condition) === undefined);

describe('a condition as text', () => {
  test('is read back as what was written', () => {
    const law = fc.property(valid, (condition) => {
      expect(parseCondition(formatCondition(condition))).toEqual(condition);
    });
    fc.assert(law, { numRuns: runs(2_000) });
  });

  test('is refused, or read, written and read again with the same result', () => {
    const words = fc.constantFrom(...OPERATOR_WORDS, 'in segment', 'Equal', ' ', ',', '"', '[', ']', 'a', '1', 'user');
    const line = fc.oneof(
      text,
      fc.array(words, { maxLength: 6 }).map((parts) => parts.join(' ')),
    );
    const law = fc.property(line, (written) => {
      let condition: Condition;
      try {
        condition = parseCondition(written);
      } catch (error) {
        expect((error as Error).name).toBe('InvalidSyntax');
        return;
      }
      expect(parseCondition(formatCondition(condition))).toEqual(condition);
    });
    fc.assert(law, { numRuns: runs(2_000) });
  });

  test('is written also if it never matches or was imported', () => {
    fc.assert(
      fc.property(attributeConditionArbitrary, (condition) => {
        expect(formatCondition(condition)).not.toBe('');
      }),
    );
  });
});
