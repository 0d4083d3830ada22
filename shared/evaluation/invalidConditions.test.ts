import { beforeEach, describe, expect, test } from '@jest/globals';
import { explainFlag } from '../describe/explain.ts';
import type { Flag } from '../flags/flag.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { compileEnvironment, evaluateFlag, invalidConditionsOf, resultsByKey } from '../testing/evaluate.ts';
import type { InvalidCondition } from './invalidCondition.ts';

const isPro = aCondition('plan', 'Equal', 'pro');
const user = aUser('u1', { plan: 'pro', note: 'x' }, 'bob');

/** One condition of each kind that cannot be compiled, with positive and negative operators. */
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

describe.each(BROKEN)('a flag with $property $op $value', (condition) => {
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

describe('an expression that is not searched in a long text', () => {
  const counted = aCondition('note', 'NotMatchRegex', 'a[ab]{300}c');
  const longNote = aUser('u1', { note: 'x'.repeat(30_000) });
  const flag = (key: string) => aFlag({ key, rules: [aRule([isPro]), aRule([counted], { name: 'counted' })] });
  const segment = aSegment({
    id: 's',
    rules: [{ id: 'r', name: 'R', conditions: [{ ...counted, op: 'MatchRegex' }] }],
  });
  let reports: InvalidCondition[] = [];
  const environment = {
    segments: [segment],
    onSkipped: (condition: InvalidCondition) => void reports.push(condition),
  };
  const message = expect.stringContaining('30000 characters: its expression searches up to 1644');
  beforeEach(() => {
    reports = [];
  });

  test('is reported once, by its flag and condition, and the rest of the flag goes on', () => {
    const snapshot = compileEnvironment([flag('f'), flag('g')], environment);
    expect(snapshot.invalidConditions).toEqual([]);
    for (let n = 0; n < 3; n++) {
      expect(snapshot.flags.map((each) => each.evaluate(longNote).reason)).toEqual(['default', 'default']);
      expect(snapshot.flags[0]?.evaluate(aUser('u1', { note: 'x' })).reason).toBe('counted');
    }
    expect(reports).toEqual([{ kind: 'flag', id: 'f', path: 'rules[1].conditions[0]', message }]);
    expect(snapshot.invalidConditions).toEqual([]);
  });

  test('is reported by its segment', () => {
    const asks = aFlag({ rules: [aRule([aCondition(IN_SEGMENT, null, '["s"]')])] });
    expect(evaluateFlag(asks, longNote, environment).reason).toBe('default');
    expect(reports).toEqual([{ kind: 'segment', id: 's', path: 'rules[0].conditions[0]', message }]);
  });

  test('needs nobody to report to', () => {
    expect(evaluateFlag(flag('f'), longNote).reason).toBe('default');
  });

  test('is reported where an evaluation is explained', () => {
    const { result, invalidConditions } = explainFlag(flag('f'), longNote, []);
    expect(result.reason).toBe('default');
    expect(invalidConditions).toEqual([{ kind: 'flag', id: 'f', path: 'rules[1].conditions[0]', message }]);
  });
});
