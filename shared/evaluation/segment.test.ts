import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../flags/rule.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { aCondition, aSegment, aUser } from '../testing/builders.ts';
import { RE2 } from './compileOperator.ts';
import { compileSegment } from './segment.ts';

function compile(fields: Partial<Segment>) {
  const reports: string[] = [];
  const segment = compileSegment(aSegment(fields), {
    missingAttribute: 'empty',
    engine: RE2,
    compiled: new Map(),
    report: (path, message) => reports.push(`${path}: ${message}`),
  });
  return { segment, reports };
}

const contains = (fields: Partial<Segment>, keyId: string, attributes: Record<string, string> = {}) =>
  compile(fields).segment.contains(aUser(keyId, attributes));

const rule = (...conditions: Condition[]) => ({ id: 'r', name: 'R', conditions });
const isPro = aCondition('plan', 'Equal', 'pro');
const isAdult = aCondition('age', 'BiggerEqualThan', '18');

describe('compileSegment', () => {
  test.each<[string, boolean, Partial<Segment>, Record<string, string>]>([
    ['nobody belongs to an empty one', false, {}, {}],
    ['an included user does', true, { included: ['x', 'u1'] }, {}],
    ['user ids are compared exactly', false, { included: ['U1'] }, {}],
    ['exclusion wins over inclusion', false, { included: ['u1'], excluded: ['u1'] }, {}],
    ['exclusion wins over rules', false, { excluded: ['u1'], rules: [rule(isPro)] }, { plan: 'pro' }],
    ['a rule that holds', true, { rules: [rule(isPro)] }, { plan: 'pro' }],
    ['a rule that does not', false, { rules: [rule(isPro)] }, { plan: 'free' }],
    ['all conditions of a rule must hold', false, { rules: [rule(isPro, isAdult)] }, { plan: 'pro', age: '17' }],
    ['any rule will do', true, { rules: [rule(isPro), rule(isAdult)] }, { plan: 'free', age: '18' }],
    ['a rule without conditions holds', true, { rules: [rule()] }, {}],
    ['an archived segment goes on matching', true, { included: ['u1'], isArchived: true }, {}],
  ])('%s: %p', (_, expected, fields, attributes) => {
    expect(contains(fields, 'u1', attributes)).toBe(expected);
  });

  test('a broken condition breaks its own rule only, and is reported', () => {
    const { segment, reports } = compile({ rules: [rule(isPro, aCondition('x', 'MatchRegex', '(')), rule(isAdult)] });
    expect(segment.contains(aUser('u1', { plan: 'pro' }))).toBe(false);
    expect(segment.contains(aUser('u1', { age: '20' }))).toBe(true);
    expect(reports).toEqual([expect.stringMatching(/^rules\[0\]\.conditions\[1\]: never matches: is not a regular/)]);
  });

  test.each([IN_SEGMENT, NOT_IN_SEGMENT])('a segment condition inside a segment (%s) never holds', (property) => {
    const { segment, reports } = compile({ rules: [rule(aCondition(property, null, '["a-segment"]'))] });
    expect(segment.contains(aUser('u1'))).toBe(false);
    expect(reports).toEqual(['rules[0].conditions[0]: never matches: a segment cannot be defined by other segments']);
  });

  test('carries its version and its JSON', () => {
    const document = aSegment({ included: ['ü', '"'] });
    const { segment } = compile(document);
    expect(segment.updatedAt).toBe(Date.parse(document.updatedAt));
    expect(JSON.parse(segment.json)).toEqual(document);
  });
});
