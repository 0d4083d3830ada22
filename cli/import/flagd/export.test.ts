import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../../../shared/flags/flag.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, share } from '../../../shared/testing/builders.ts';
import { runs } from '../../../shared/testing/runs.ts';
import { flagdWith } from '../../testing/evaluators/flagd.ts';
import { exportToFlagd } from './export.ts';

const segment = {
  kind: 'segment' as const,
  document: aSegment({ id: 'staff', included: ['ann'], excluded: ['bob'], rules: [ruleOf(equal('plan', 'staff'))] }),
};
const exported = (fields: Partial<Flag>) =>
  exportToFlagd([segment, { kind: 'flag', document: aFlag({ key: 'f', name: '', ...fields }) }]);
const targetingOf = (...conditions: Condition[]) => {
  const { targeting } = exported({ rules: [aRule(conditions)] }).file.flags['f'] ?? {};
  return (targeting as { if: unknown[] }).if[0];
};

function equal(property: string, value: string): Condition {
  return aCondition(property, 'Equal', value);
}
function ruleOf(condition: Condition) {
  return { id: 'r', name: 'r', conditions: [condition] };
}

describe('a flag', () => {
  test('has variations by name, rules in order, and the fallthrough as default', () => {
    const targetUsers = [{ keyIds: ['u1', 'u2'], variationId: 'off' }];
    expect(exported({ targetUsers, rules: [aRule([equal('country', 'us')])], description: 'why' }).file).toEqual({
      $schema: 'https://flagd.dev/schema/v0/flags.json',
      flags: {
        f: {
          state: 'ENABLED',
          variants: { On: true, Off: false },
          defaultVariant: 'On',
          targeting: {
            if: [
              { in: [{ var: 'targetingKey' }, ['u1', 'u2']] },
              'Off',
              { '===': [{ cat: [{ var: ['country', ''] }] }, 'us'] },
              'Off',
            ],
          },
          metadata: { description: 'why' },
        },
      },
      $evaluators: {},
    });
  });

  test('has its variations by id if their names are not unique', () => {
    const variations = [
      { id: 'a', name: 'same', value: '1.5' },
      { id: 'b', name: 'same', value: '2' },
    ];
    const fields = { variationType: 'number' as const, variations, fallthrough: aRollout(share('b')) };
    expect(exported(fields).file.flags['f']).toMatchObject({ variants: { a: 1.5, b: 2 }, defaultVariant: 'b' });
  });

  test('has its off variation for all if it is off, which is a difference', () => {
    const { file, differences } = exported({ isEnabled: false, rules: [aRule([])] });
    expect(file.flags['f']).toMatchObject({ state: 'ENABLED', defaultVariant: 'Off' });
    expect(file.flags['f']).not.toHaveProperty('targeting');
    expect(differences).toEqual([
      'f: is off: everyone gets its off variation, and its targets and rules are not exported',
    ]);
  });

  test('is omitted if it is archived, as for clients', () => {
    expect(exported({ isArchived: true })).toMatchObject({ file: { flags: {} }, leftOut: [] });
  });

  test.each<[string, Partial<Flag>, unknown]>([
    [
      'of whole percent',
      { fallthrough: aRollout(share('off', 0.25, 1), share('on', 0, 0.25)) },
      [
        ['On', 25],
        ['Off', 75],
      ],
    ],
    [
      'finer than that',
      { fallthrough: aRollout(share('on', 0, 0.0125), share('off', 0.0125, 1)) },
      [
        ['On', 1_250],
        ['Off', 98_750],
      ],
    ],
    [
      'by an attribute',
      { fallthrough: { ...aRollout(share('on', 0, 0.5), share('off', 0.5, 1)), dispatchKey: 'team' } },
      [{ cat: [{ var: '$flagd.flagKey' }, { cat: [{ var: ['team', ''] }] }] }, ['On', 50], ['Off', 50]],
    ],
  ])('has percentages %s as fractional, which is a difference', (_, fields, fractional) => {
    const { file, differences } = exported(fields);
    expect(file.flags['f']?.targeting).toEqual({ fractional });
    expect(differences).toEqual(['f: has a percentage rollout: flagd selects other users']);
  });

  test.each<[Partial<Flag>, string]>([
    [{ rules: [aRule([aCondition('email', 'MatchRegex', '^a')])] }, 'a regular expression on "email"'],
    [{ rules: [aRule([equal('a.b', 'x')])] }, 'the attribute name "a.b", which flagd reserves'],
    [{ rules: [aRule([aCondition('age', 'LessThan', 'Infinity')])] }, 'a comparison of "age" with infinity'],
    [{ fallthrough: aRollout(share('gone')) }, 'the variation "gone", which does not exist'],
    [{ fallthrough: aRollout(share('on', 0, 0.5)) }, 'percentages that leave users out, or overlap'],
    [{ fallthrough: aRollout() }, 'percentages that leave users out, or overlap'],
    [
      { fallthrough: aRollout(share('on', 0, 0.6), share('off', 0.5, 1)) },
      'percentages that leave users out, or overlap',
    ],
    [{ variationType: 'number' }, 'the value of variation "on", which is not a number'],
    [{ variationType: 'json' }, 'the value of variation "on", which is not a JSON object'],
  ])('is left out by name if flagd has no equivalent: %j', (fields, what) => {
    expect(exported(fields)).toMatchObject({ file: { flags: {} }, leftOut: [`f: flagd cannot express ${what}`] });
  });
});

describe('numbers of values', () => {
  const exportedValue = (variationType: 'json' | 'number', value: string) => {
    const variations = [{ id: 'on', value }];
    const { file, differences } = exported({ variationType, variations });
    return [JSON.stringify(file.flags['f']?.variants['on']), differences.length];
  };

  test.each(['9007199254740993', '-9223372036854775808', '1.0', '1e2', '0.12345678901234567890', '-0'])(
    'stay as they were: %s',
    (text) => {
      expect(exportedValue('number', text)).toEqual([text, 0]);
      expect(exportedValue('json', `{"a": [${text}]}`)).toEqual([`{"a":[${text}]}`, 0]);
    },
  );

  test.each([
    ['007', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
  ])('become valid JSON from an older form: %s', (text, json) => {
    expect(exportedValue('number', text)).toEqual([json, 0]);
  });
});

test.each(['{"b":1,"10":2,"2":3}', '{"a":1,"a":2}', '{"x":[{"b":1,"1":2}]}'])(
  'a JSON value that the file changes is a listed difference: %s',
  (value) => {
    const fields = { variationType: 'json' as const, variations: [{ id: 'on', value }] };
    for (const isEnabled of [true, false]) {
      expect(exported({ ...fields, isEnabled, disabledVariationId: 'on' }).differences[0]).toContain(
        'has a JSON value',
      );
    }
  },
);

test('any JSON object is in the file as it was, or is a listed difference', () => {
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?([eE](-\d{1,3}|\+?\d{1,2}))?$/);
  const key = fc.oneof(fc.string(), fc.nat(20).map(String)).map((text) => JSON.stringify(text));
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      number,
      fc.string().map((text) => JSON.stringify(text)),
      fc.array(tie('value')).map((items) => `[${items.join()}]`),
      fc.array(fc.tuple(key, tie('value'))).map((items) => `{${items.map((item) => item.join(':')).join()}}`),
    ),
  }));
  const seen = { same: 0, different: 0 };
  const law = fc.property(value, (inner) => {
    const text = `{"a":${inner}}`;
    const { file, differences } = exported({ variationType: 'json', variations: [{ id: 'on', value: text }] });
    const isSame = JSON.stringify(file.flags['f']?.variants['on']) === text;
    expect(differences).toHaveLength(isSame ? 0 : 1);
    seen[isSame ? 'same' : 'different'] += 1;
  });
  fc.assert(law, { numRuns: runs(300) });
  expect(Math.min(seen.same, seen.different)).toBeGreaterThan(0);
});

describe('a condition', () => {
  test.each([
    ['Equal', '9007199254740993', 1],
    ['IsOneOf', '["a","9007199254740993"]', 1],
    ['Equal', '42', 0],
    ['Equal', 'user 9007199254740993', 0],
  ])('%s %s on a long number is a difference, as flagd rounds it', (op, value, count) => {
    expect(exported({ rules: [aRule([aCondition('id', op, value)])] }).differences).toHaveLength(count);
  });

  test('keeps the digits of the number that it compares with', () => {
    const logic = JSON.stringify(targetingOf(aCondition('id', 'BiggerThan', '9007199254740993')));
    expect(logic).toContain('{">":[{"var":"id"},9007199254740993]}');
  });

  const plan = { cat: [{ var: ['plan', ''] }] };
  test.each<[string, string, unknown]>([
    ['NotEqual', 'x', { '!==': [plan, 'x'] }],
    ['Contains', 'x', { in: ['x', plan] }],
    ['NotContain', 'x', { '!': [{ in: ['x', plan] }] }],
    ['Contains', '', true],
    ['StartsWith', 'x', { starts_with: [plan, 'x'] }],
    ['EndsWith', 'x', { ends_with: [plan, 'x'] }],
    ['IsOneOf', '["x","y"]', { in: [plan, ['x', 'y']] }],
    ['NotOneOf', '["x"]', { '!': [{ in: [plan, ['x']] }] }],
    ['IsTrue', '', { in: [plan, ['true', 'True', 'TRUE']] }],
    ['BiggerEqualThan', '1,000', { and: [{ '!==': [plan, ''] }, { '>=': [{ var: 'plan' }, 1_000] }] }],
  ])('%s %j is in flagd’s words', (op, value, logic) => {
    expect(targetingOf(aCondition('plan', op, value))).toEqual(logic);
  });

  test('about the name does not hold where there is none', () => {
    const name = { cat: [{ var: ['name', ''] }] };
    const logic = { and: [{ '!=': [{ var: 'name' }, null] }, { '!==': [name, 'x'] }] };
    expect(targetingOf(aCondition('name', 'NotEqual', 'x'))).toEqual(logic);
  });

  test('about segments refers to them, each written once', () => {
    const rules = [aRule([aCondition('User is in segment', null, '["staff","gone"]')])];
    const { file } = exported({ rules });
    expect(file.flags['f']?.targeting).toEqual({ if: [{ $ref: 'staff' }, 'Off'] });
    expect(file.$evaluators).toEqual({
      staff: {
        and: [
          { '!': [{ in: [{ var: 'targetingKey' }, ['bob']] }] },
          {
            or: [{ in: [{ var: 'targetingKey' }, ['ann']] }, { '===': [plan, 'staff'] }],
          },
        ],
      },
    });
    const outside = aCondition('User is not in segment', null, '["staff"]');
    expect(targetingOf(outside)).toEqual({ '!': [{ $ref: 'staff' }] });
  });

  test.each(['$& ', '$$', '$`', "$'", '$1'])('about a segment with the text %s is right for flagd, too', (included) => {
    const flag = aFlag({ key: 'f', rules: [aRule([aCondition('User is in segment', null, '["s"]')])] });
    const members = { kind: 'segment' as const, document: aSegment({ id: 's', included: [included] }) };
    const flagd = flagdWith(exportToFlagd([members, { kind: 'flag', document: flag }]).file);
    const valueFor = (targetingKey: string) => flagd.resolveBooleanEvaluation('f', true, { targetingKey }).value;
    expect([included, 'somebody else'].map(valueFor)).toEqual([false, true]);
  });

  test.each([
    ['Like', 'x'],
    ['IsOneOf', 'no list'],
    ['BiggerThan', 'no number'],
    ['Equal', null],
  ])('leaves out its rule if it never holds (%s %j)', (op, value) => {
    expect(exported({ rules: [aRule([aCondition('plan', op, value)])] }).file.flags['f']).not.toHaveProperty(
      'targeting',
    );
  });

  test.each([
    ['LessThan', '1', 'compares numbers: for other text, flagd returns no value'],
    ['IsFalse', '', 'has a condition on true or false: flagd does not match a spelling such as tRUE'],
  ])('%s is a difference, in a segment too', (op, value, difference) => {
    const condition = aCondition('plan', op, value);
    expect(exported({ rules: [aRule([condition]), aRule([condition])] }).differences).toEqual([`f: ${difference}`]);
    const group = aSegment({ id: 'group', rules: [ruleOf(condition)] });
    const inGroup = aFlag({ key: 'g', rules: [aRule([aCondition('User is in segment', null, '["group"]')])] });
    const both = [
      { kind: 'segment' as const, document: group },
      { kind: 'flag' as const, document: inGroup },
    ];
    expect(exportToFlagd(both).differences).toEqual([`g: ${difference}`]);
  });
});
