import { describe, expect, test } from '@jest/globals';
import { share } from '../../../shared/testing/builders.ts';
import { importFromUnleash } from './import.ts';

const rollout = (percent: unknown, fields: object = {}) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'f', ...fields },
});
const us = { contextName: 'country', operator: 'IN', values: ['us'] };
const when = (constraint: object, strategy: object = { name: 'default' }) => ({
  ...strategy,
  constraints: [constraint],
});
const imported = (fields: object, segments: object[] = []) =>
  importFromUnleash({ features: [{ name: 'f', enabled: true, strategies: [], variants: [], ...fields }], segments });
const flagOf = (fields: object) => imported(fields).flags[0];
const reasonOf = (fields: object, segments: object[] = []) =>
  imported(fields, segments).leftOut.map((line) => line.replace('f: not supported: ', ''));

describe('a feature', () => {
  test('is true for whom one of its strategies is on, and else false', () => {
    expect(flagOf({ description: 'why', strategies: [when(us)] })).toMatchObject({
      key: 'f',
      name: 'f',
      description: 'why',
      variationType: 'boolean',
      variations: [{ id: 'true' }, { id: 'false' }],
      rules: [{ conditions: [{ property: 'country', op: 'IsOneOf', value: '["us"]' }], variations: [share('true')] }],
      isEnabled: true,
      disabledVariationId: 'false',
      fallthrough: { variations: [share('false')] },
    });
  });

  test('stays off if it is off', () => {
    expect(flagOf({ enabled: false })).toMatchObject({ isEnabled: false, disabledVariationId: 'false' });
  });

  test('has variants as variations, those of the feature for strategies without any', () => {
    const variants = (name: string) => [{ name, weight: 1, payload: { type: 'json', value: '{}' } }];
    const strategies = [when(us, { name: 'default', variants: variants('own') }), { name: 'default' }];
    expect(flagOf({ strategies, variants: variants('common') })).toMatchObject({
      variationType: 'json',
      variations: [{ id: 'disabled', value: 'null' }, { id: 'common' }, { id: 'own' }],
      rules: [{ variations: [share('own')] }, { variations: [share('common')] }],
    });
  });

  test.each<[string, object, string]>([
    ['that is archived', { archived: true }, 'an archived feature'],
    [
      'with segments that are no list',
      { strategies: [{ name: 'default', segments: { 0: 1 } }] },
      'strategies[0].segments: must be an array of numbers',
    ],
    [
      'with a segment whose number is text',
      { strategies: [{ name: 'default', segments: ['1'] }] },
      'strategies[0].segments: must be an array of numbers',
    ],
    [
      'with parameters that are no object',
      { strategies: [{ name: 'userWithId', parameters: 'userIds=ann' }] },
      'strategies[0].parameters: must be an object, but is a string',
    ],
    [
      'with a parameter that is no text',
      { strategies: [rollout('50', { stickiness: 5 })] },
      'strategies[0].parameters.stickiness: must be a string, but is a number',
    ],
    [
      'with a fraction as weight',
      { variants: [{ name: 'red', weight: 0.5 }] },
      'variants[0].weight: must be a whole number, but is 0.5',
    ],
    ['that depends on another', { dependencies: [{ feature: 'g' }] }, 'features that depend on others'],
    ['of an unknown strategy', { strategies: [{ name: 'mine' }] }, 'the strategy mine'],
    ['drawn by chance', { strategies: [rollout(50, { stickiness: 'random' })] }, 'random stickiness'],
    ['without a percentage', { strategies: [rollout(undefined)] }, 'undefined as a percentage'],
    [
      'whose strategies are disabled',
      { strategies: [{ name: 'default', disabled: true }] },
      'a feature whose strategies are all disabled',
    ],
    ['without strategies', { strategies: null }, 'strategies: must be an array, but is null'],
    ['with a wrong field', { strategies: [{}] }, 'strategies[0].name: must be a string, but is missing'],
    [
      'of an unknown segment',
      { strategies: [{ name: 'default', segments: [7] }] },
      'the segment 7, which is not imported',
    ],
    [
      'that asks for the time',
      { strategies: [when({ ...us, contextName: 'currentTime' })] },
      'a condition on the current time',
    ],
    ['that asks for a version', { strategies: [when({ ...us, operator: 'SEMVER_GT' })] }, 'the operator SEMVER_GT'],
  ])('%s is left out by name', (_, fields, reason) => {
    expect(reasonOf(fields)).toEqual([reason]);
  });
});

describe('percentages', () => {
  test('are shares of the users for whom the strategy holds, which is a difference', () => {
    const { flags, differences } = imported({ strategies: [when(us, rollout('30'))] });
    expect(flags[0]?.rules).toMatchObject([
      { dispatchKey: null, variations: [share('true', 0, 0.3), share('false', 0.3, 1)] },
    ]);
    expect(differences).toEqual([
      'f: has a percentage rollout: it selects other users; up to 42 % of users get another variation',
    ]);
  });

  test('are shares of the drawn users in variants', () => {
    const variants = ['a', 'b'].map((name, n) => ({ name, weight: n === 0 ? 250 : 750 }));
    expect(flagOf({ strategies: [rollout('40')], variants })?.rules[0]?.variations).toMatchObject([
      { id: 'a', rollout: [0, 0.1] },
      { id: 'b', rollout: [0.1, 0.4] },
      { id: 'disabled', rollout: [0.4, 1] },
    ]);
  });

  test('leave out users without the field that draws', () => {
    expect(flagOf({ strategies: [rollout('30', { stickiness: 'team' })] })?.rules).toMatchObject([
      { dispatchKey: 'team', conditions: [{ property: 'team', op: 'NotEqual', value: '' }] },
    ]);
  });

  test('draw all users of smaller ones of the group by the largest, which comes first', () => {
    const rules = flagOf({ strategies: [when(us, rollout('30')), rollout('60'), when(us)] })?.rules ?? [];
    expect(rules.map(({ variations }) => variations[0]?.rollout[1])).toEqual([1, 0.6, 0.3]);
  });

  test.each<[string, object]>([
    ['of two groups', { strategies: [rollout('30'), rollout('60', { groupId: 'g' })] }],
    [
      'before other variants',
      { strategies: [{ ...rollout('30'), variants: [{ name: 'a', weight: 1 }] }, { name: 'default' }] },
    ],
  ])('%s are left out by name', (_, fields) => {
    expect(reasonOf(fields)).toEqual(['several strategies whose percentages select different users']);
  });

  test('are left out by name if their field differs from that of the variants', () => {
    const variants = ['a', 'b'].map((name) => ({ name, weight: 1, stickiness: 'team' }));
    expect(reasonOf({ strategies: [rollout('30')], variants })).toEqual([
      'percentages with another stickiness than their variants',
    ]);
  });
});

test('segments are imported, and one that cannot be takes its features with it', () => {
  const segments = [
    { id: 1, name: 'americans', constraints: [us] },
    { id: 2, name: 'testers', constraints: [{ ...us, operator: 'DATE_AFTER' }] },
  ];
  const within = (id: number) => imported({ strategies: [{ name: 'default', segments: [id] }] }, segments);
  expect(within(1)).toMatchObject({
    segments: [{ id: 'unleash-1', name: 'americans', rules: [{ conditions: [{ property: 'country' }] }] }],
    flags: [{ rules: [{ conditions: [{ property: 'User is in segment', value: '["unleash-1"]' }] }] }],
  });
  expect(within(2).leftOut).toEqual([
    'segment testers: not supported: the operator DATE_AFTER',
    'f: not supported: the segment testers, which is not imported',
  ]);
});

describe('an export', () => {
  const exported = {
    features: [{ name: 'f', archived: false }, { name: 'g' }],
    featureStrategies: [
      { featureName: 'f', ...when(us, { name: 'default', segments: [1] }), sortOrder: 2 },
      { featureName: 'g', name: 'userWithId', parameters: { userIds: 'ann, bob' }, sortOrder: 1 },
    ],
    featureEnvironments: [
      { featureName: 'f', environment: 'production', enabled: true },
      { featureName: 'g', environment: 'production', enabled: false, variants: [{ name: 'a', weight: 1 }] },
    ],
    segments: [{ id: 1, name: 'americans' }],
    dependencies: [],
  };

  test('has the parts of a feature put together, and no constraints of segments', () => {
    const { flags, leftOut } = importFromUnleash(exported);
    expect(flags).toMatchObject([
      {
        key: 'g',
        isEnabled: false,
        variations: [{ id: 'disabled' }, { id: 'a' }],
        rules: [{ conditions: [{ property: 'keyId', value: '["ann","bob"]' }] }],
      },
    ]);
    expect(leftOut).toEqual([
      'segment americans: not supported: a segment whose "constraints" are not in the file',
      'f: not supported: the segment americans, which is not imported',
    ]);
  });

  test('is read in the form of version 4: other fields of strategies, segments in a list', () => {
    const segments = [{ id: 1, name: 'americans', constraints: [us] }];
    const featureStrategies = [
      {
        id: 's',
        featureName: 'f',
        strategyName: 'default',
        parameters: {},
        constraints: [],
        environment: 'production',
      },
    ];
    const featureStrategySegments = [{ featureStrategyId: 's', segmentId: 1 }];
    const { flags, leftOut } = importFromUnleash({
      version: 4,
      features: [{ name: 'f', archived: false }],
      featureStrategies,
      featureStrategySegments,
      featureEnvironments: [{ featureName: 'f', environment: 'production', enabled: true }],
      segments,
    });
    expect(leftOut).toEqual([]);
    expect(flags).toMatchObject([
      { key: 'f', rules: [{ conditions: [{ property: 'User is in segment', value: '["unleash-1"]' }] }] },
    ]);
    const elsewhere = { ...exported, featureStrategies: [{ ...featureStrategies[0], environment: 'test' }] };
    expect(() => importFromUnleash(elsewhere)).toThrow(
      '"featureEnvironments" has several environments: production, test; choose one with --source-env',
    );
  });

  test('may have parts without an environment', () => {
    const featureStrategies = [
      { featureName: 'f', environment: null, name: 'userWithId', parameters: { userIds: 'ann' } },
    ];
    const featureEnvironments = [{ featureName: 'f', environment: 'production', enabled: true }];
    expect(
      importFromUnleash({ features: [{ name: 'f' }], featureStrategies, featureEnvironments }).flags,
    ).toMatchObject([{ rules: [{ conditions: [{ property: 'keyId', value: '["ann"]' }] }] }]);
  });

  test('has one of several environments', () => {
    const of = (environment: string, enabled: boolean) => ({ featureName: 'f', environment, enabled });
    const file = {
      features: [{ name: 'f' }],
      featureStrategies: [
        { ...of('production', true), name: 'default' },
        { ...of('test', true), name: 'userWithId', parameters: { userIds: 'ann' } },
      ],
      featureEnvironments: [of('production', true), of('test', false)],
    };
    expect(() => importFromUnleash(file)).toThrow(
      '"featureEnvironments" has several environments: production, test; choose one with --source-env',
    );
    const inTest = { isEnabled: false, rules: [{ conditions: [{ property: 'keyId', value: '["ann"]' }] }] };
    expect(importFromUnleash(file, 'production').flags).toMatchObject([
      { isEnabled: true, rules: [{ conditions: [] }] },
    ]);
    expect(importFromUnleash(file, 'test').flags).toMatchObject([inTest]);
    expect(() => importFromUnleash(file, 'prod')).toThrow('has no environment "prod", but production, test');
  });
});

test.each<[unknown, string]>([
  [[], 'the file must contain an object, but contains an array'],
  [{ features: {} }, '"features" must be an array, but is an object'],
])('a file of another form is refused: %j', (file, message) => {
  expect(() => importFromUnleash(file)).toThrow(message);
});

test.each([
  ['featureStrategies', { name: 'default' }, '"featureStrategies[0].featureName" must be a string, but is missing'],
  ['featureEnvironments', { featureName: 1 }, '"featureEnvironments[0].featureName" must be a string, but is a number'],
  ['dependencies', {}, '"dependencies[0].feature" must be a string, but is missing'],
])('an export whose %s belong to no feature is refused', (list, item, message) => {
  const file = { features: [{ name: 'f' }], featureStrategies: [], featureEnvironments: [], [list]: [item] };
  expect(() => importFromUnleash(file)).toThrow(message);
});
