import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../../../shared/flags/flag.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { aUser, share } from '../../../shared/testing/builders.ts';
import { compileEnvironment, evaluateFlag } from '../../../shared/testing/evaluate.ts';
import { flagdWith } from '../../testing/evaluators/flagd.ts';
import { importFromFlagd } from './import.ts';

const COLORS = { state: 'ENABLED', variants: { red: '#f00', blue: '#00f' }, defaultVariant: 'red' };
const imported = (definition: object, $evaluators: object = {}) =>
  importFromFlagd({ flags: { f: { ...COLORS, ...definition } }, $evaluators });
const flagOf = (definition: object, $evaluators: object = {}): Flag | undefined =>
  imported(definition, $evaluators).flags[0];
const conditionsOf = (condition: unknown): (readonly Condition[])[] | undefined =>
  flagOf({ targeting: { if: [condition, 'blue'] } })?.rules.map(({ conditions }) => conditions);
const country = { var: 'country' };

describe('a flag', () => {
  test('has variants, rules in order, and the default variant for everybody else', () => {
    const targeting = {
      if: [
        { '==': [country, 'us'] },
        'blue',
        { if: [{ in: [{ var: 'targetingKey' }, ['ann', 'bob']] }, 'blue', null] },
      ],
    };
    const metadata = { name: 'Colour', description: 'of the header', owner: 'team' };
    const everybody = { dispatchKey: null, variations: [share('red')] };
    const blue = { dispatchKey: null, variations: [share('blue')] };
    expect(flagOf({ targeting, metadata })).toMatchObject({
      key: 'f',
      name: 'Colour',
      description: 'of the header',
      variationType: 'string',
      variations: [
        { id: 'red', name: 'red', value: '#f00' },
        { id: 'blue', name: 'blue', value: '#00f' },
      ],
      targetUsers: [],
      rules: [
        { name: 'rule 1', conditions: [{ property: 'country', op: 'Equal', value: 'us' }], ...blue },
        { name: 'rule 2', conditions: [{ property: 'keyId', op: 'IsOneOf', value: '["ann","bob"]' }], ...blue },
      ],
      isEnabled: true,
      disabledVariationId: 'red',
      fallthrough: everybody,
      isArchived: false,
    });
  });

  test.each<[string, object, string, string]>([
    ['boolean', { on: true }, 'on', 'true'],
    ['number', { one: 1.5 }, 'one', '1.5'],
    ['json', { one: { a: [1] } }, 'one', '{"a":[1]}'],
  ])('keeps its values of the type %s', (variationType, variants, defaultVariant, value) => {
    expect(flagOf({ variants, defaultVariant })).toMatchObject({ variationType, variations: [{ value }] });
  });

  test('that is boolean serves false while it is off', () => {
    expect(flagOf({ variants: { on: true, off: false }, defaultVariant: 'on' })).toMatchObject({
      disabledVariationId: 'off',
    });
  });

  test('may be in a list', () => {
    const flags = [
      { key: 'f', ...COLORS },
      { key: 'f', ...COLORS },
    ];
    const read = importFromFlagd({ flags });
    expect(read.flags.map(({ key }) => key)).toEqual(['f']);
    expect(read.leftOut).toEqual(['f: not supported: a second flag or segment with this key']);
  });

  test('gives true or false if its targeting is only a condition', () => {
    const targeting = { '==': [country, 'us'] };
    expect(flagOf({ variants: { true: 1, false: 0 }, defaultVariant: 'false', targeting })).toMatchObject({
      rules: [{ conditions: [{ property: 'country' }], variations: [share('true')] }],
      fallthrough: { variations: [share('false')] },
    });
  });

  test.each<[string, unknown[], string | null]>([
    [
      'by the targeting key',
      [
        ['red', 1],
        ['blue', 3],
      ],
      null,
    ],
    ['without weights', [['red'], ['red'], ['red'], ['blue', 9]], null],
    ['by an attribute', [{ var: 'team' }, ['red', 25], ['blue', 75]], 'team'],
    [
      'by an attribute and the key',
      [{ cat: [{ var: '$flagd.flagKey' }, { var: 'team' }] }, ['red', 25], ['blue', 75]],
      'team',
    ],
  ])('has fractional %s as percentages, which is a difference', (_, fractional, dispatchKey) => {
    const translation = imported({ targeting: { fractional } });
    const [flag] = translation.flags;
    expect(flag?.fallthrough.dispatchKey).toBe(dispatchKey);
    expect(flag?.fallthrough.variations.at(-1)).toMatchObject({ id: 'blue', rollout: [0.25, 1] });
    expect(translation.differencesOf('f').map(({ cause }) => cause)).toContain('percentages');
  });

  test('gives the default variant without the attribute of its fractional, as in flagd', () => {
    const fractional = [{ var: 'team' }, ['red', 50], ['blue', 50]];
    const alone = [{ var: 'team' }, ['blue', 1]];
    const targeting = { if: [{ '==': [country, 'us'] }, { fractional: alone }, { fractional }] };
    const names = Array.from({ length: 20 }, (_, n) => `f${n}`);
    const file = { flags: Object.fromEntries(names.map((name) => [name, { ...COLORS, targeting }])) };
    const flagd = flagdWith(file);
    for (const flag of compileEnvironment(importFromFlagd(file).flags).flags) {
      const { key } = flag.document;
      for (const attributes of [{}, { country: 'us' }]) {
        const { value } = flagd.resolveStringEvaluation(key, 'no value', { targetingKey: 'ann', ...attributes });
        expect([key, flag.evaluate(aUser('ann', attributes)).value]).toEqual([key, value]);
      }
    }
  });

  test.each<[object, string]>([
    [{ state: undefined }, 'a flag without "state"; write "ENABLED" or "DISABLED"'],
    [{ state: 'OFF' }, 'the "state" "OFF"; write "ENABLED" or "DISABLED"'],
    [
      { targeting: { if: [{ $ref: 'elsewhere' }, 'red'] } },
      'the evaluator "elsewhere", which is not in "$evaluators" of the file',
    ],
    [{ variants: { a: 1, b: 'x' } }, 'variants of different types, or without a type'],
    [{ variants: {} }, 'variants of different types, or without a type'],
    [{ defaultVariant: null }, 'a missing default variant; SDKs return the default in your code'],
    [{ defaultVariant: 'green' }, 'the variant "green", which does not exist'],
    [{ targeting: { if: [true, 'green'] } }, 'the variant "green", which does not exist'],
    [{ targeting: { if: [true, { var: 'color' }] } }, '{"var":"color"}'],
    [{ targeting: { if: [true, { if: [true, 'red'] }] } }, '{"if":[true,"red"]}'],
    [{ targeting: { fractional: [['red', { var: 'w' }]] } }, '{"fractional":[["red",{"var":"w"}]]}'],
    [{ targeting: { fractional: [['red', 0]] } }, 'weights that add up to zero'],
    [{ targeting: { fractional: [['red', 50, 'blue', 50]] } }, '{"fractional":[["red",50,"blue",50]]}'],
    [{ targeting: { fractional: [['red', 50], []] } }, '{"fractional":[["red",50],[]]}'],
    [{ targeting: { fractional: [['red', 50], 'blue'] } }, '{"fractional":[["red",50],"blue"]}'],
    [
      {
        targeting: {
          fractional: [
            ['red', 50],
            ['blue', '50'],
          ],
        },
      },
      '{"fractional":[["red",50],["blue","50"]]}',
    ],
    [
      {
        targeting: {
          fractional: [
            ['red', 50],
            [['blue'], 50],
          ],
        },
      },
      '["blue"]',
    ],
    [{ targeting: { fractional: [['red', 2 ** 31 - 1], ['blue']] } }, '{"fractional":[["red",2147483647],["blue"]]}'],
    [{ targeting: 'blue' }, '"targeting" must be an object, but is a string'],
    [{ targeting: [] }, '"targeting" must be an object, but is an array'],
    [{ defaultVariant: true, variants: { true: 1 } }, '"defaultVariant" must be a string, but is a boolean'],
    [{ targeting: { $ref: 'all' } }, 'targeting that consists of a single shared evaluator'],
  ])('is left out by name if it has no counterpart: %j', (definition, what) => {
    expect(imported(definition, { all: 'red' })).toMatchObject({
      flags: [],
      leftOut: [`f: not supported: ${what}`],
    });
  });

  test('is left out if its key is invalid here', () => {
    const read = importFromFlagd({ flags: { 'my flag': COLORS } });
    expect(read).toMatchObject({
      flags: [],
      leftOut: [expect.stringContaining('my flag: not supported: key: must be')],
    });
  });
});

test.each<[unknown]>([
  [{ starts_with: [{ var: 'email' }, 'x'] }],
  [{ ends_with: [{ var: 'email' }, 'x'] }],
  [{ starts_with: [{ var: ['email', ''] }, 'x'] }],
  [{ and: [{ '==': [country, 'us'] }, { starts_with: [{ var: 'email' }, 'x'] }] }],
  [{ and: [{ starts_with: [{ var: 'email' }, 'x'] }, { '==': [country, 'us'] }] }],
  [{ or: [{ starts_with: [{ var: 'email' }, 'x'] }, { '==': [country, 'us'] }] }],
  [{ or: [{ '==': [country, 'us'] }, { starts_with: [{ var: 'email' }, 'x'] }] }],
  [{ and: [{ or: [{ '==': [country, 'us'] }, { starts_with: [{ var: 'email' }, 'x'] }] }, true] }],
])('gives the default variant with %j alone if the attribute is no text, as in flagd', (targeting) => {
  const file = { flags: { f: { ...COLORS, variants: { true: 'yes', false: 'no', red: 'red' }, targeting } } };
  const flagd = flagdWith(file);
  const [flag] = importFromFlagd(file).flags;
  const emails: Record<string, string>[] = [{}, { email: 'xax' }, { email: 'a' }];
  for (const attributes of emails.flatMap((email) => [email, { ...email, country: 'us' }])) {
    const { value } = flagd.resolveStringEvaluation('f', 'no value', { targetingKey: 'ann', ...attributes });
    const ours = evaluateFlag(flag as Flag, aUser('ann', attributes)).value;
    expect([attributes, ours]).toEqual([attributes, value]);
  }
});

test('a disabled flag is archived: like flagd, SDKs return the default in the code', () => {
  const file = { flags: { f: { ...COLORS, state: 'DISABLED' } } };
  const { flags, leftOut, differences } = importFromFlagd(file);
  expect(flags).toMatchObject([{ key: 'f', isArchived: true }]);
  expect(leftOut).toEqual([]);
  expect(differences).toEqual(['f: is disabled: it is archived here, and SDKs return the default in your code']);
  const asked = flagdWith(file).resolveStringEvaluation('f', 'in the code', { targetingKey: 'ann' });
  expect([asked.value, evaluateFlag(flags[0] as Flag, aUser('ann')).value]).toEqual(['in the code', null]);
});

describe('a missing attribute', () => {
  test.each<[unknown]>([
    [{ '==': [{ var: 'beta' }, false] }],
    [{ '==': [0, { var: 'beta' }] }],
    [{ '!=': [{ var: 'beta' }, false] }],
    [{ '!': [{ '!=': [{ var: 'beta' }, 0] }] }],
    [{ '==': [{ var: 'beta' }, true] }],
    [{ '===': [{ var: 'beta' }, false] }],
    [{ '!==': [{ var: 'beta' }, 0] }],
    [{ '<': [{ var: 'beta' }, 18] }],
    [{ '<=': [0, { var: 'beta' }] }],
    [{ '!': [{ '>=': [{ var: 'beta' }, 18] }] }],
    [{ '>': [{ var: ['beta', ''] }, -1] }],
  ])('is 0 and false to %j, as to flagd', (logic) => {
    const file = { flags: { f: { ...COLORS, targeting: { if: [logic, 'blue'] } } } };
    const flagd = flagdWith(file);
    const [flag] = importFromFlagd(file).flags;
    for (const attributes of [{}, { beta: '7' }] as Record<string, string>[]) {
      const context = Object.fromEntries(Object.entries(attributes).map(([name, text]) => [name, Number(text)]));
      const { value } = flagd.resolveStringEvaluation('f', 'no value', { targetingKey: 'ann', ...context });
      const ours = evaluateFlag(flag as Flag, aUser('ann', attributes)).value;
      expect([attributes, ours]).toEqual([attributes, value]);
    }
  });
});

describe('a condition', () => {
  const is = (op: string, value: string, property = 'country') => ({ property, op, value });

  test.each<[unknown, Condition]>([
    [{ '===': ['us', country] }, is('Equal', 'us')],
    [{ '!=': [country, true] }, is('NotEqual', 'true')],
    [{ '!==': [{ cat: [{ var: ['country', ''] }] }, ''] }, is('NotEqual', '')],
    [{ '!=': [{ var: 'name' }, null] }, is('Contains', '', 'name')],
    [{ in: ['u', country] }, is('Contains', 'u')],
    [{ starts_with: [country, 'u'] }, is('StartsWith', 'u')],
    [{ ends_with: [country, 's'] }, is('EndsWith', 's')],
    [{ '>=': [{ var: 'age' }, 18] }, is('BiggerEqualThan', '18', 'age')],
    [{ '<': [18, { var: 'age' }] }, is('BiggerThan', '18', 'age')],
    [{ '!': [{ in: [country, ['us', 1]] }] }, is('NotOneOf', '["us","1"]')],
    [{ '!': { '<': [{ var: 'age' }, 18] } }, is('BiggerEqualThan', '18', 'age')],
  ])('is imported: %j', (logic, condition) => {
    expect(conditionsOf(logic)).toEqual([[condition]]);
  });

  test('becomes a rule for each alternative', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value) => ({ '==': [country, value] }));
    const values = (logic: unknown) =>
      conditionsOf(logic)?.map((all) => all.map(({ op, value }) => `${op} ${value}`).join());
    expect(values({ and: [{ or: [a, b] }, c] })).toEqual(['Equal a,Equal c', 'Equal b,Equal c']);
    expect(values({ '!': [{ or: [a, { and: [b, c] }] }] })).toEqual(['NotEqual a,NotEqual b', 'NotEqual a,NotEqual c']);
    expect(values({ and: [a, false] })).toEqual([]);
  });

  test('becomes no rule if it can never hold', () => {
    const age = { var: ['age', ''] };
    const set = { property: 'age', op: 'NotEqual', value: '' };
    expect(conditionsOf({ and: [{ '!==': [age, ''] }, { '<': [age, 18] }] })).toEqual([
      [set, { property: 'age', op: 'LessThan', value: '18' }],
    ]);
  });

  test('has the content of its evaluator', () => {
    const targeting = { if: [{ $ref: 'isUs' }, 'blue'] };
    expect(flagOf({ targeting }, { isUs: { '==': [country, 'us'] } })?.rules[0]?.conditions).toEqual([
      is('Equal', 'us'),
    ]);
  });

  test.each<[unknown]>([
    [{ sem_ver: [{ var: 'v' }, '>', '1.0.0'] }],
    [{ '==': [{ var: 'a.b' }, 'x'] }],
    [{ '==': [country, ''] }],
    [{ '==': [{ cat: [country] }, ''] }],
    [{ '==': [{ cat: [country] }, 1] }],
    [{ '<': [{ cat: [country] }, 1] }],
    [{ starts_with: [country, ''] }],
    [{ and: [] }],
    [{ '==': [country, null] }],
    [{ '==': [country, { var: 'plan' }] }],
    [{ '==': ['a', 'a'] }],
    [{ '<': [1, { var: 'age' }, 5] }],
    [{ '<': [country, '5'] }],
    [{ '!': [{ starts_with: [country, 'u'] }] }],
    [{ $ref: 'nowhere' }],
    [country],
    ['text'],
    [{ or: [{ '==': [country, 'a'] }], and: [] }],
  ])('has no counterpart, so its flag is left out: %j', (logic) => {
    expect(imported({ targeting: { if: [logic, 'blue'] } })).toMatchObject({
      flags: [],
      leftOut: [expect.stringMatching(/^f: /)],
    });
  });

  test('leaves out its flag if it takes very many rules, or refers to itself', () => {
    const or = { or: ['a', 'b', 'c', 'd'].map((value) => ({ '==': [country, value] })) };
    const many = imported({ targeting: { if: [{ and: [or, or, or, or] }, 'blue'] } });
    expect(many?.leftOut).toEqual(['f: not supported: a condition that takes more than 100 rules']);
    const loop = imported({ targeting: { if: [{ $ref: 'loop' }, 'blue'] } }, { loop: { '!': [{ $ref: 'loop' }] } });
    expect(loop?.leftOut).toEqual(['f: not supported: a condition of more than 1000 operations']);
    const long = Array.from({ length: 600 }, () => [{ and: [{ '==': [country, 'a'] }, true] }, 'blue']).flat();
    expect(imported({ targeting: { if: long } }).flags).toHaveLength(1);
  });

  test('is a difference if it is negative and about the name', () => {
    const { differences } = imported({ targeting: { if: [{ '!=': [{ var: 'name' }, 'x'] }, 'blue'] } });
    expect(differences).toContain(
      'f: has a negative condition on name; here it does not match users without a name; it can differ where "name" is missing',
    );
  });
});

test.each([[null], [[]], [{}], [{ flags: 'none' }]])('a file without flags is of the wrong form: %j', (file) => {
  expect(() => importFromFlagd(file)).toThrow('"flags" must be an object or an array');
});
