import { expect, test } from '@jest/globals';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from './rule.ts';
import { wireJson } from './wireDocument.ts';

test.each([
  ['about segments', aCondition(IN_SEGMENT, null, '["s"]'), { op: IN_SEGMENT, value: '["s"]' }],
  ['about segments, negative', aCondition(NOT_IN_SEGMENT, '', '["s"]'), { op: NOT_IN_SEGMENT, value: '["s"]' }],
  ['about no segments', aCondition(IN_SEGMENT, 'Equal', null), { op: IN_SEGMENT, value: '[]' }],
  ['that never holds', aCondition('plan', 'NotEqual', null), { op: '', value: '' }],
  ['without an operator', aCondition('plan', null, 'pro'), { op: '', value: 'pro' }],
  ['of an attribute', aCondition('plan', 'Equal', 'pro'), { op: 'Equal', value: 'pro' }],
])('a condition %s holds no null, in a flag and in a segment', (_, condition, expected) => {
  const conditions = [{ ...condition, ...expected }];
  const flag = aFlag({ rules: [aRule([condition], { id: 'mine' })] });
  expect(JSON.parse(wireJson(flag))).toEqual({ ...flag, rules: [{ ...flag.rules[0], conditions }] });
  const segment = aSegment({ rules: [{ id: 'r', name: 'n', conditions: [condition] }] });
  expect(JSON.parse(wireJson(segment))).toEqual({ ...segment, rules: [{ id: 'r', name: 'n', conditions }] });
});
