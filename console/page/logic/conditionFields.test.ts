import { describe, expect, test } from '@jest/globals';
import { OPERATOR_NAMES } from '../../../shared/evaluation/operator.ts';
import { IN_SEGMENT } from '../../../shared/flags/rule.ts';
import { conditionOf, fieldsOf, OPERATORS, takesList, takesValue } from './conditionFields.ts';

const fields = { attribute: 'plan', operator: '=', value: 'pro', segmentIds: [] };

describe('a condition in a form', () => {
  test('is offered with every operator, each of which makes the condition that it is read from again', () => {
    expect(OPERATORS).toHaveLength(OPERATOR_NAMES.length + 2);
    for (const operator of OPERATORS.filter((word) => !word.endsWith('segment'))) {
      const value = takesList(operator) ? 'a,"b,c"' : takesValue(operator) ? '12' : '';
      const typed = { ...fields, operator, value };
      expect([operator, fieldsOf(conditionOf(typed))]).toEqual([operator, { ...typed, id: undefined }]);
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
    expect(fieldsOf(conditionOf(asked))).toEqual({ ...asked, id: undefined });
  });

  test.each([
    ['no attribute', { attribute: ' ' }, /Enter a user attribute/],
    ['no value', { value: '' }, /Enter a value/],
    ['what is no number', { operator: '>', value: 'old' }, /^"plan > old" would never match: "old" is not a number$/],
    ['what is no expression', { operator: 'matches', value: '(' }, /regular expression/],
    ['no segment', { operator: 'in segment' }, /Choose a segment/],
  ])('refuses %s', (_, wrong, message) => expect(() => conditionOf({ ...fields, ...wrong })).toThrow(message));

  test('that an import brought is shown, even if it never matches', () => {
    expect(fieldsOf({ property: 'plan', op: 'IsOneOf', value: '{' })).toMatchObject({ operator: 'in', value: '{' });
    expect(fieldsOf({ property: 'plan', op: 'Odd', value: null })).toMatchObject({ operator: 'Odd', value: '' });
  });
});
