import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import type { User } from '../flags/user.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, aUser, share } from '../testing/builders.ts';
import { explainFlag } from './explain.ts';
import { explanationLines } from './explanationText.ts';

const beta = aSegment({
  id: 'b1',
  name: 'Beta',
  included: ['ann'],
  excluded: ['eve'],
  rules: [{ id: 'r', name: 'Staff', conditions: [aCondition('email', 'EndsWith', '@acme.com')] }],
});

const lines = (flag: Flag, user: User) => explanationLines(flag, user.keyId, explainFlag(flag, user, [beta]));

describe('the explanation of a value', () => {
  test('names the state of the flag, and a target', () => {
    const targets = [{ variationId: 'off', keyIds: ['u'] }];
    expect(lines(aFlag({ isArchived: true }), aUser('u'))[0]).toContain('the flag is archived');
    expect(lines(aFlag({ isEnabled: false, targetUsers: targets }), aUser('u'))).toEqual(['the flag is off']);
    expect(lines(aFlag({ targetUsers: targets }), aUser('u'))).toEqual(['u is a target of Off']);
  });

  test('names rules up to the first that matches, with the failed condition', () => {
    const adult = aCondition('age', 'BiggerThan', '18');
    const flag = aFlag({
      rules: [aRule([adult, aCondition('a', 'Equal', 'b')], { name: 'One' }), aRule([adult], { name: 'Two' })],
    });
    expect(lines(flag, aUser('u', { age: '19' }))).toEqual([
      'rule 1 "One" does not match: a = b (a is missing)',
      'rule 2 "Two" matches: age > 18 (age is "19")',
    ]);
    expect(lines(flag, aUser('u', { age: '1' }))).toEqual([
      'rule 1 "One" does not match: age > 18 (age is "1")',
      'rule 2 "Two" does not match: age > 18 (age is "1")',
      'no rule matches',
    ]);
    expect(lines(aFlag({ rules: [aRule([])] }), aUser('u'))).toEqual(['rule 1 "Rule 1" matches everyone']);
    expect(lines(aFlag(), aUser('u'))).toEqual(['the flag has no rules']);
  });

  test('names the segment, and its list or rule', () => {
    const flag = aFlag({ rules: [aRule([aCondition(IN_SEGMENT, null, '["b1"]')])] });
    const why = (user: User) => lines(flag, user)[0];
    expect(why(aUser('ann'))).toBe('rule 1 "Rule 1" matches: in segment Beta (Beta includes the user)');
    expect(why(aUser('eve'))).toBe('rule 1 "Rule 1" does not match: in segment Beta (Beta excludes the user)');
    expect(why(aUser('u', { email: 'u@acme.com' }))).toBe(
      'rule 1 "Rule 1" matches: in segment Beta (rule 1 of Beta matches: email ends-with @acme.com (email is "u@acme.com"))',
    );
    expect(why(aUser('u'))).toContain('rule 1 of Beta does not match: email ends-with @acme.com (email is missing)');
    const others = aFlag({ rules: [aRule([aCondition(NOT_IN_SEGMENT, null, '["b1"]')])] });
    expect(lines(others, aUser('ann'))[0]).toBe(
      'rule 1 "Rule 1" does not match: not in segment Beta (Beta includes the user)',
    );
  });

  test('names the bucket', () => {
    const flag = aFlag({ fallthrough: aRollout(share('on', 0, 0.1), share('off', 0.1, 0.1001)) });
    const [, drawn] = lines(flag, aUser('u'));
    expect(drawn).toMatch(/^keyId "u" is at \d+(\.\d+)? % of the users, outside of all shares$/);
    const byCountry = { ...aRollout(share('on', 0, 0.5), share('off', 0.5, 1)), dispatchKey: 'country' };
    expect(lines(aFlag({ fallthrough: byCountry }), aUser('u', { country: 'x' }))[1]).toMatch(
      /^country "x" is at .* of the users, between (0 % and 50 %|50 % and 100 %)$/,
    );
  });

  test('warns only of what took part', () => {
    const broken = aCondition('a', 'Like', 'b');
    const missing = aCondition(IN_SEGMENT, null, '["gone"]');
    const flag = aFlag({ rules: [aRule([aCondition('a', 'Equal', '1')]), aRule([broken]), aRule([missing])] });
    expect(explainFlag(flag, aUser('u', { a: '1' }), []).invalidConditions).toEqual([]);
    expect(explainFlag(flag, aUser('u'), []).invalidConditions).toEqual([
      {
        kind: 'flag',
        id: 'a-flag',
        path: 'rules[1].conditions[0]',
        message: 'never matches: unknown operator "Like"',
      },
      { kind: 'flag', id: 'a-flag', path: 'rules[2].conditions[0]', message: expect.stringContaining('do not exist') },
    ]);
    expect(lines(flag, aUser('u'))[2]).toContain('there is no segment gone');
  });
});
