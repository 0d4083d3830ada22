import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { compileEnvironment, evaluateFlag, invalidConditionsOf, resultsByKey } from '../testing/evaluate.ts';

const isPro = aCondition('plan', 'Equal', 'pro');
const user = aUser('u1', { plan: 'pro', note: 'x' }, 'bob');

/** One condition that cannot be compiled of each kind, under both polarities. */
const BROKEN: readonly Condition[] = [
  aCondition('note', 'MatchRegex', '['),
  aCondition('note', 'NotMatchRegex', '(?!x)y'),
  aCondition('note', 'IsOneOf', 'not-json'),
  aCondition('note', 'NotOneOf', '[1]'),
  aCondition('note', 'Sounds like', 'x'),
  aCondition(IN_SEGMENT, null, 'gone'),
  aCondition(NOT_IN_SEGMENT, null, '{}'),
];

const brokenFlag = (condition: Condition): Flag =>
  aFlag({
    key: 'broken',
    targetUsers: [{ keyIds: ['target'], variationId: 'off' }],
    rules: [
      aRule([aCondition('plan', 'Equal', 'free')], { name: 'before' }),
      aRule([isPro, condition], { name: 'broken' }),
      aRule([isPro], { name: 'after' }),
    ],
  });

describe.each(BROKEN)('with $property $op $value', (condition) => {
  test('the rest of the flag goes on', () => {
    const flag = brokenFlag(condition);
    expect(evaluateFlag(flag, aUser('target')).reason).toBe('targeted');
    expect(evaluateFlag(flag, aUser('u1', { plan: 'free' })).reason).toBe('before');
    expect(evaluateFlag(flag, user).reason).toBe('after');
    expect(evaluateFlag(flag, aUser('u1')).reason).toBe('default');
  });

  test('the report names the flag and the condition', () => {
    expect(invalidConditionsOf(brokenFlag(condition))).toEqual([
      {
        kind: 'flag',
        id: 'broken',
        path: 'rules[1].conditions[1]',
        message: expect.stringMatching(/^never matches: /),
      },
    ]);
  });

  test('other flags do not notice', () => {
    const others = [aFlag({ key: 'a' }), aFlag({ key: 'z', rules: [aRule([isPro])] })];
    const alone = resultsByKey(compileEnvironment(others), user);
    const together = resultsByKey(compileEnvironment([brokenFlag(condition), ...others]), user);
    for (const [key, json] of alone) expect(together.get(key)).toBe(json);
  });
});

describe('a broken segment', () => {
  const broken = aSegment({
    id: 'broken',
    included: ['u9'],
    rules: [{ id: 'r', name: 'R', conditions: [aCondition('note', 'NotMatchRegex', '(')] }],
  });
  const flags = [
    aFlag({ key: 'uses-it', rules: [aRule([aCondition(IN_SEGMENT, null, '["broken"]')])] }),
    aFlag({ key: 'other' }),
  ];

  test('is reported once, by its id', () => {
    expect(compileEnvironment(flags, { segments: [broken] }).invalidConditions).toEqual([
      { kind: 'segment', id: 'broken', path: 'rules[0].conditions[0]', message: expect.any(String) },
    ]);
  });

  test('still knows its members by name, and nobody else', () => {
    const snapshot = compileEnvironment(flags, { segments: [broken] });
    const valueFor = (keyId: string) => snapshot.flags.map((flag) => flag.evaluate(aUser(keyId)).value);
    expect(valueFor('u9')).toEqual(['false', 'true']);
    expect(valueFor('u1')).toEqual(['true', 'true']);
  });
});

test('every broken condition of a flag is reported', () => {
  const flag = aFlag({ rules: [aRule([...BROKEN]), aRule(BROKEN.slice(0, 1))] });
  expect(invalidConditionsOf(flag).map(({ path }) => path)).toEqual([
    ...BROKEN.map((_, index) => `rules[0].conditions[${index}]`),
    'rules[1].conditions[0]',
  ]);
});
