import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OPERATOR_NAMES } from '../../../shared/evaluation/compileOperator.ts';
import { IN_SEGMENT } from '../../../shared/flags/rule.ts';
import {
  attributeConditionArbitrary,
  segmentConditionArbitrary,
} from '../../../shared/testing/arbitraries/condition.ts';
import { runs } from '../../../shared/testing/runs.ts';
import { conditionOf, fieldsOf, OPERATORS, takesList, takesValue } from './conditionFields.ts';

const fields = { attribute: 'plan', operator: '=', value: 'pro', segmentIds: [] };

describe('a condition in a form', () => {
  test('is offered with every operator, and each is read back as it was written', () => {
    expect(OPERATORS).toHaveLength(OPERATOR_NAMES.length + 4);
    for (const operator of OPERATORS.filter((word) => !word.endsWith('segment'))) {
      const value = takesList(operator) ? 'a,"b,c"' : takesValue(operator) ? '12' : '';
      const typed = { ...fields, operator, value };
      const original = conditionOf(typed);
      expect([operator, fieldsOf(original)]).toEqual([operator, { ...typed, id: undefined, original }]);
    }
  });

  test('takes a text as it is typed, whatever it looks like', () => {
    for (const value of ['"', ' blank ', '= 1', '[]', 'a,b', '<b>']) {
      expect(conditionOf({ ...fields, value })).toEqual({ property: 'plan', op: 'Equal', value });
      expect(fieldsOf(conditionOf({ ...fields, value })).value).toBe(value);
    }
    expect(conditionOf({ ...fields, attribute: 'in "segment"' }).property).toBe('in "segment"');
  });

  test('asks about segments by their ids', () => {
    const asked = { attribute: '', operator: 'in segment', value: '', segmentIds: ['a', 'b'] };
    expect(conditionOf(asked)).toEqual({ property: IN_SEGMENT, op: null, value: '["a","b"]' });
    expect(fieldsOf(conditionOf(asked))).toEqual({ ...asked, id: undefined, original: conditionOf(asked) });
  });

  test('asks whether an attribute is empty', () => {
    const of = (operator: string) => conditionOf({ ...fields, operator, value: 'left over' });
    expect(of('is empty')).toEqual({ property: 'plan', op: 'Equal', value: '' });
    expect(of('is not empty')).toEqual({ property: 'plan', op: 'NotEqual', value: '' });
  });

  test('comes back unchanged, whatever is stored', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('', ' ', ' plan ', 'null', '[]', '["a"]', '[null]'),
    );
    const stored = fc.oneof(
      attributeConditionArbitrary,
      segmentConditionArbitrary(['beta', 'staff']),
      fc.record({
        property: text,
        op: fc.option(fc.constantFrom(...OPERATOR_NAMES, 'Odd', '')),
        value: fc.option(text),
      }),
    );
    const law = fc.property(stored, fc.boolean(), (condition, hasId) => {
      const withId = hasId ? { id: 'c1', unknown: 1, ...condition } : condition;
      expect(conditionOf(fieldsOf(withId))).toBe(withId);
    });
    fc.assert(law, { numRuns: runs(1_000) });
  });

  test('keeps its id, other members and spaces if another part of it is changed', () => {
    const stored = { id: 'c1', unknown: 1, property: ' plan ', op: 'Equal', value: ' pro ' };
    expect(conditionOf({ ...fieldsOf(stored), operator: '!=' })).toEqual({ ...stored, op: 'NotEqual' });
    expect(conditionOf({ ...fieldsOf(stored), attribute: ' tier ' })).toEqual({ ...stored, property: 'tier' });
  });

  test.each([
    ['no attribute', { attribute: ' ' }, /Enter a user attribute/],
    ['no value', { value: '' }, /Enter a value/],
    ['no value of a list', { operator: 'not in', value: ' ' }, /Enter a value/],
    ['an empty list', { operator: 'in', value: '[]' }, /would never match: its list is empty/],
    ['what is no number', { operator: '>', value: 'old' }, /^"plan > old" would never match: "old" is not a number$/],
    ['what is no expression', { operator: 'matches', value: '(' }, /regular expression/],
    ['no segment', { operator: 'in segment' }, /Choose a segment/],
  ])('refuses %s', (_, wrong, message) => expect(() => conditionOf({ ...fields, ...wrong })).toThrow(message));

  test('is shown as imported, even if it never matches', () => {
    expect(fieldsOf({ property: 'plan', op: 'IsOneOf', value: '{' })).toMatchObject({ operator: 'in', value: '{' });
    expect(fieldsOf({ property: 'plan', op: 'Odd', value: null })).toMatchObject({ operator: 'Odd', value: '' });
  });
});
