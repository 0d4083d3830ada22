import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Condition } from '../../../shared/flags/rule.ts';
import { aUser, share } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { flagsmithValues, flagsmithWith } from '../../testing/evaluators/flagsmith.ts';
import { importFromFlagsmith } from './import.ts';

const aState = (fields: object = {}) => ({
  feature: { name: 'f' },
  enabled: true,
  feature_state_value: null,
  ...fields,
});
const variant = (value: unknown, percent: number) => ({
  multivariate_feature_option: { value },
  percentage_allocation: percent,
});
const imported = (state: object, segments: object[] = [], identities: object[] = []) =>
  importFromFlagsmith({ feature_states: [aState(state)], project: { segments }, identity_overrides: identities });
const reasonOf = (...args: Parameters<typeof imported>) =>
  imported(...args).leftOut.map((line) => line.replace('f: not supported: ', ''));
const aSegment = (id: number, fields: object = {}) => ({
  id,
  name: `s${id}`,
  rules: [],
  feature_states: [],
  ...fields,
});
const ruleOf = (type: string, conditions: object[], rules: object[] = []) => ({ type, conditions, rules });
const equal = (property_: string, value: unknown) => ({ operator: 'EQUAL', property_, value });

describe('a feature', () => {
  test('becomes its enabled state without values, with segments as rules', () => {
    const segments = [
      aSegment(1, { rules: [ruleOf('ALL', [equal('plan', 'pro')])], feature_states: [aState({ enabled: false })] }),
    ];
    const identities = [{ identifier: 'ann', identity_features: [aState()] }];
    expect(imported({}, segments, identities).flags).toMatchObject([
      {
        key: 'f',
        variationType: 'boolean',
        targetUsers: [{ keyIds: ['ann'], variationId: 'true' }],
        rules: [
          {
            conditions: [{ property: 'User is in segment', value: '["flagsmith-1"]' }],
            variations: [share('false')],
          },
        ],
        fallthrough: { variations: [share('true')] },
        isEnabled: true,
      },
    ]);
  });

  test('stays off with its rules if it is off everywhere', () => {
    expect(imported({ enabled: false }).flags).toMatchObject([
      { isEnabled: false, disabledVariationId: 'false', fallthrough: { variations: [share('true')] } },
    ]);
  });

  test('has its values as variations, and one more where it is off for some', () => {
    const segments = [aSegment(1, { feature_states: [aState({ enabled: false, feature_state_value: 2 })] })];
    expect(imported({ feature_state_value: 1 }).flags).toMatchObject([
      { variationType: 'number', variations: [{ id: 'value-1', value: '1' }] },
    ]);
    const { flags, differences } = imported({ feature_state_value: 1 }, segments);
    expect(flags).toMatchObject([{ variationType: 'string', variations: [{ value: '1' }, { value: 'disabled' }] }]);
    expect(differences).toEqual(['f: has values: when off, it serves the variation "disabled"']);
  });

  test.each<[string, object, object]>([
    ['where it is off', {}, { enabled: false, feature_state_value: 'hi' }],
    ['for nobody', { multivariate_feature_state_values: [variant('hi', 0)] }, {}],
  ])('becomes its enabled state if it has a value only %s', (_, state, override) => {
    const { flags, differences } = imported(state, [aSegment(1, { feature_states: [aState(override)] })]);
    expect(flags).toMatchObject([{ variationType: 'boolean', variations: [{ value: 'true' }, { value: 'false' }] }]);
    expect(differences).toEqual(['f: has a value that no user gets: it serves true or false']);
  });

  test('has percentages of values, and its own for the others, which is a difference', () => {
    const multivariate_feature_state_values = [variant('a', 10), variant('b', 30)];
    const { flags, differences } = imported({ feature_state_value: 'c', multivariate_feature_state_values });
    expect(flags[0]?.variations.map(({ value }) => value)).toEqual(['a', 'b', 'c']);
    expect(flags[0]?.fallthrough.variations.map(({ rollout }) => rollout)).toEqual([
      [0, 0.1],
      [0.1, 0.4],
      [0.4, 1],
    ]);
    expect(differences).toEqual([
      'f: has a percentage rollout: it selects other users; up to 54 % of users get another variation',
    ]);
  });

  test('has the override of the lowest priority first', () => {
    const segment = (id: number, priority: number | null) =>
      aSegment(id, { feature_states: [aState({ feature_segment: priority === null ? null : { priority } })] });
    const [flag] = imported({}, [segment(1, null), segment(2, 5), segment(10, 0), segment(9, 5)]).flags;
    expect(flag?.rules.map(({ conditions }) => conditions[0]?.value)).toEqual(
      [10, 2, 9, 1].map((id) => `["flagsmith-${id}"]`),
    );
  });

  test.each<[string, object, string]>([
    [
      'values of several types',
      { feature_state_value: 1, multivariate_feature_state_values: [variant('a', 5)] },
      'different types',
    ],
    [
      'percentages over 100',
      { multivariate_feature_state_values: [variant('a', 60), variant('b', 60)] },
      'negative or add up to more than 100',
    ],
    ['a wrong field', { enabled: 'yes' }, 'enabled: must be true or false, but is a string'],
    [
      'a value that is none',
      { feature_state_value: [] },
      'feature_state_value: must be a string, a number, true or false',
    ],
  ])('is left out by name if it has %s', (_, state, reason) => {
    expect(reasonOf(state)).toEqual([expect.stringContaining(reason)]);
  });
});

describe('a segment', () => {
  const conditionsOf = (...rules: object[]) =>
    imported({}, [aSegment(1, { rules })]).segments[0]?.rules.map(({ conditions }) =>
      conditions.map(textOf).join(' and '),
    );
  const textOf = ({ property, op, value }: Condition) => `${property} ${op} ${value}`;

  test('is of all of its rules, and of nobody without any', () => {
    expect(conditionsOf()).toEqual([]);
    const either = ruleOf('ANY', [equal('plan', 'pro'), equal('plan', 'team')]);
    expect(conditionsOf(ruleOf('ALL', [], [either]), ruleOf('NONE', [equal('country', 'us')]))).toEqual([
      'plan IsOneOf ["pro"] and country NotOneOf ["us"]',
      'plan IsOneOf ["team"] and country NotOneOf ["us"]',
    ]);
    expect(conditionsOf(ruleOf('NONE', [], [either]))).toEqual(['plan NotOneOf ["pro"] and plan NotOneOf ["team"]']);
  });

  test('compares traits that are no text with each of their spellings', () => {
    const asked = (condition: object) => conditionsOf(ruleOf('ALL', [condition]))?.[0];
    expect(asked(equal('paying', 'True'))).toBe('paying IsOneOf ["True","true"]');
    expect(asked(equal('age', '18.0'))).toBe('age IsOneOf ["18.0","18"]');
    expect(asked(equal('$.identity.identifier', 'ann'))).toBe('keyId IsOneOf ["ann"]');
    expect(asked({ ...equal("$.identity.traits['a b']", 'x'), operator: 'NOT_EQUAL' })).toBe(
      'a b NotEqual  and a b NotOneOf ["x"]',
    );
  });

  test.each<[object, string]>([
    [{ ...equal('age', '2|1'), operator: 'MODULO' }, 'the operator MODULO'],
    [{ ...equal('age', '10'), operator: 'PERCENTAGE_SPLIT' }, 'the operator PERCENTAGE_SPLIT'],
    [equal('version', '1.0.0:semver'), 'a comparison of versions'],
    [equal('plan', ''), 'EQUAL without a value'],
    [{ ...equal('age', 'x'), operator: 'LESS_THAN' }, 'LESS_THAN with "x", which is not a number'],
    [equal('$.environment.name', 'x'), 'a condition on $.environment.name'],
    [{ ...equal('plan', '('), operator: 'REGEX' }, 'what is not a regular expression that runs in linear time'],
  ])('is left out with its features if it has no counterpart: %j', (condition, reason) => {
    const segment = aSegment(1, { rules: [ruleOf('ALL', [condition])], feature_states: [aState()] });
    expect(reasonOf({}, [segment])).toEqual([
      expect.stringContaining(`segment s1: not supported: ${reason}`),
      'the segment s1, which is not imported',
    ]);
  });
});

test('the public sample gives each identity what Flagsmith’s own SDK gives', async () => {
  const path = join(import.meta.dirname, 'testing', 'data', 'environment.json');
  const document = JSON.parse(readFileSync(path, 'utf8'));
  const { flags, segments, leftOut, differences } = importFromFlagsmith(document);
  expect([flags.length, segments.length, leftOut]).toEqual([2, 1, []]);
  expect(differences).toHaveLength(4);
  const flagsmith = flagsmithWith(document);
  const compiled = compileEnvironment(flags, { segments }).flags;
  for (const [identifier, traits] of [
    ['overridden-id', {}],
    ['ann', { age: 30 }],
    ['bob', { age: 50 }],
  ] as const) {
    const theirs = await flagsmithValues(flagsmith, identifier, traits);
    const user = aUser(
      identifier,
      Object.fromEntries(Object.entries(traits).map(([name, value]) => [name, String(value)])),
    );
    expect(compiled[0]?.evaluate(user).value).toBe(theirs('some_feature', true));
    // This feature is off for everyone, so it is off here.
    expect([compiled[1]?.evaluate(user).value, theirs('mv_feature', true)]).toEqual(['disabled', 'disabled']);
  }
});

test('gives Flagsmith’s value of a feature that is off with a value for a segment', async () => {
  const state = (enabled: boolean, value: string | null, fields: object = {}) => ({
    feature: { id: 1, name: 'banner', type: 'STANDARD' },
    enabled,
    feature_state_value: value,
    multivariate_feature_state_values: [],
    featurestate_uuid: '40eb539d-3713-4720-bbd4-829dbef10d51',
    ...fields,
  });
  const staff = aSegment(7, {
    rules: [ruleOf('ALL', [equal('plan', 'staff')])],
    feature_states: [state(false, 'hi', { feature_segment: { priority: 0 } })],
  });
  const document = {
    feature_states: [state(true, null)],
    id: 1,
    api_key: 'key',
    name: 'Test',
    identity_overrides: [],
    project: { id: 1, name: 'Test', organisation: { id: 1, name: 'Test' }, segments: [staff] },
  };
  const { flags, segments } = importFromFlagsmith(document);
  const [flag] = compileEnvironment(flags, { segments }).flags;
  for (const plan of ['staff', 'free']) {
    const theirs = await flagsmithValues(flagsmithWith(document), 'ann', { plan });
    expect(flag?.evaluate(aUser('ann', { plan })).value).toBe(
      theirs('banner', flag?.document.variationType !== 'boolean'),
    );
  }
});

test.each<[unknown, string]>([
  [[], 'the file must contain an object, but contains an array'],
  [{ feature_states: {} }, '"feature_states" must be an array, but is an object'],
  [{ feature_states: [] }, '"project" must be an object, but is missing'],
])('a file of another form is refused: %j', (file, message) => {
  expect(() => importFromFlagsmith(file)).toThrow(message);
});

test.each<[string, object[], object[], string]>([
  [
    'a feature without a name',
    [aSegment(1, { feature_states: [{ ...aState(), feature: {} }] })],
    [],
    '"project.segments[0].feature_states[0].feature.name" must be a string, but is missing',
  ],
  [
    'a priority that is text',
    [aSegment(1, { feature_states: [aState({ feature_segment: { priority: '0' } })] })],
    [],
    '"project.segments[0].feature_states[0].feature_segment" must have a number as priority, but has a string',
  ],
  [
    'an identity without an identifier',
    [],
    [{ identity_features: [aState()] }],
    '"identity_overrides[0].identifier" must be a string, but is missing',
  ],
])('a file with an override of %s is refused', (_, segments, identities, message) => {
  expect(() => imported({}, segments, identities)).toThrow(message);
});
