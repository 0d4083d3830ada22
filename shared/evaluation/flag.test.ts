import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, aUser, share } from '../testing/builders.ts';
import { compileEnvironment, evaluateFlag } from '../testing/evaluate.ts';
import { referencedSegments } from './flag.ts';

const u1 = aUser('u1', { plan: 'pro' });
const isPro = aCondition('plan', 'Equal', 'pro');
const targetU1 = { keyIds: ['u0', 'u1'], variationId: 'off' };

/** Value, variation id and match reason of a flag for the user `u1` with the plan `pro`. */
function resultFor(fields: Partial<Flag>, user = u1): [string | null, string | null, string] {
  const { value, variationId, reason } = evaluateFlag(aFlag(fields), user);
  return [value, variationId, reason];
}

describe('the order of evaluation', () => {
  const everything: Partial<Flag> = { targetUsers: [targetU1], rules: [aRule([isPro])] };

  test.each<[string, Partial<Flag>, [string | null, string | null, string]]>([
    ['archived first', { ...everything, isArchived: true, isEnabled: false }, [null, null, 'flag archived']],
    ['then off', { ...everything, isEnabled: false, disabledVariationId: 'on' }, ['true', 'on', 'flag disabled']],
    ['then targets', everything, ['false', 'off', 'targeted']],
    ['then rules', { rules: [aRule([isPro], { name: 'Professionals ✓' })] }, ['false', 'off', 'Professionals ✓']],
    ['then the fallthrough', { rules: [aRule([aCondition('plan', 'Equal', 'free')])] }, ['true', 'on', 'default']],
  ])('%s', (_, fields, expected) => {
    expect(resultFor(fields)).toEqual(expected);
  });

  test('the first target list that names the user counts', () => {
    const targetUsers = [{ keyIds: ['u0'], variationId: 'on' }, targetU1, { keyIds: ['u1'], variationId: 'on' }];
    expect(resultFor({ targetUsers })).toEqual(['false', 'off', 'targeted']);
  });

  test('targets are compared exactly', () => {
    expect(resultFor({ targetUsers: [{ keyIds: ['U1', ' u1'], variationId: 'off' }] })).toEqual([
      'true',
      'on',
      'default',
    ]);
  });

  test('the first rule that holds counts', () => {
    const rules = [
      aRule([aCondition('plan', 'Equal', 'free')], { name: 'first' }),
      aRule([], { name: 'second' }),
      aRule([isPro], { name: 'third' }),
    ];
    expect(resultFor({ rules })).toEqual(['false', 'off', 'second']);
  });

  test('a rule that holds never falls through, even when its rollout takes nobody', () => {
    const rules = [aRule([isPro], { name: 'gap', variations: [share('off', 0.99999, 1)] }), aRule([isPro])];
    expect(resultFor({ rules })).toEqual(['', '', 'gap']);
  });
});

describe('unknown variations come to none', () => {
  test.each<[string, Partial<Flag>, string]>([
    ['of a flag that is off', { isEnabled: false, disabledVariationId: 'gone' }, 'flag disabled'],
    ['of a target', { targetUsers: [{ keyIds: ['u1'], variationId: 'gone' }] }, 'targeted'],
    ['of a rule', { rules: [aRule([isPro], { variations: [share('gone')] })] }, 'Rule 1'],
    ['of the fallthrough', { fallthrough: aRollout(share('gone')) }, 'default'],
  ])('%s', (_, fields, reason) => {
    expect(resultFor(fields)).toEqual([null, null, reason]);
  });
});

describe('segments of a rule', () => {
  const beta = aSegment({ id: 'beta', included: ['u1'] });

  test.each([
    [IN_SEGMENT, 'u1', 'false'],
    [IN_SEGMENT, 'u2', 'true'],
    [NOT_IN_SEGMENT, 'u1', 'true'],
    [NOT_IN_SEGMENT, 'u2', 'false'],
  ])('%s, user %s: %s', (property, keyId, value) => {
    const flag = aFlag({ rules: [aRule([aCondition(property, null, '["beta"]')])] });
    expect(evaluateFlag(flag, aUser(keyId), { segments: [beta] }).value).toBe(value);
  });

  test('are all named', () => {
    const conditions = [aCondition(IN_SEGMENT, null, '["a","b"]'), isPro, aCondition(NOT_IN_SEGMENT, '', '["b","c"]')];
    const flag = aFlag({ rules: [aRule(conditions), aRule([aCondition(IN_SEGMENT, null, 'bad')])] });
    expect([...referencedSegments(flag)]).toEqual(['a', 'b', 'c']);
  });
});

test('a compiled flag carries its version and its document as JSON', () => {
  const document = { ...aFlag({ name: 'ü "quoted"' }), revision: 'kept' };
  const [flag] = compileEnvironment([document]).flags;
  expect(flag?.updatedAt).toBe(Date.parse(document.updatedAt));
  expect(JSON.parse(flag?.json ?? '')).toEqual(document);
});
