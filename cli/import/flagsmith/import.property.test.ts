import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { flagsmithValues, flagsmithWith, type Traits } from '../../testing/evaluators/flagsmith.ts';
import { ofOddFiles, withOddMembers } from '../translation/testing/oddMembers.ts';
import {
  attributesOf,
  type Context,
  holdAgainst,
  ODD_SCALARS,
  ODD_TEXTS,
  type Oracle,
} from '../translation/testing/oracle.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromFlagsmith } from './import.ts';

const FEATURES = 6;
/** 5,000 features in a long run. */
const RUNS = longRuns(834);
const SEGMENTS = 4;
const IDENTITIES = ['us', 'ann', 'bob', '18'];
const IDENTITIES_A_RUN = 8;

const word = fc.constantFrom('us', 'us', 'u', 'pro', 'a.b');
const trait = fc.constantFrom(
  ...['country', 'plan', 'name', 'age', 'isPaying', '$.identity.identifier', '$.identity.traits.plan'],
);
/** Values of conditions as text, of the trait's type or another. */
const value = fc.oneof(
  word,
  fc.constantFrom('17', '18', '18.0', '18abc', '19.5', '0', '1', 'true', 'True', 'false', 'False'),
);

const condition = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      property_: trait,
      operator: fc.constantFrom('EQUAL', 'EQUAL', 'NOT_EQUAL', 'CONTAINS', 'NOT_CONTAINS', 'IS_SET', 'IS_NOT_SET'),
      value,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      property_: trait,
      operator: fc.constant('IN'),
      value: fc.constantFrom<unknown>('us,pro', '["de", "ann"]', '18,0,true', ['us', 'false'], 'us,,', '[1]'),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      property_: trait,
      operator: fc.constant('REGEX'),
      value: fc.constantFrom('^u', '^(us)?$', 'a.b', '^1'),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      property_: trait,
      operator: fc.constantFrom('GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE'),
      value: fc.constantFrom('17', '18', '18.0', '19.5', '0', '0x10'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      property_: fc.constantFrom('age', ''),
      operator: fc.constantFrom('MODULO', 'PERCENTAGE_SPLIT'),
      value: fc.constant('2|0'),
    }),
  },
);
const few = { maxLength: 2 };
const { rule } = fc.letrec((tie) => ({
  rule: fc.record({
    type: fc.constantFrom('ALL', 'ALL', 'ANY', 'NONE'),
    conditions: fc.array(condition, { minLength: 1, maxLength: 2 }),
    rules: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('rule'), { maxLength: 1 })),
  }),
}));

const variant = fc.record({
  percentage_allocation: fc.constantFrom<number>(0, 30, 100),
  multivariate_feature_option: fc.record({ value: fc.constantFrom<string>('blue', 'white') }),
  id: fc.integer({ min: 1, max: 9 }),
});
const state = fc.record({
  enabled: fc.boolean(),
  feature_state_value: fc.constantFrom<string | null>('red', 'green', '', null),
  multivariate_feature_state_values: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(variant, { maxLength: 1 }) },
  ),
});
const priority = fc.option(fc.integer({ min: 0, max: 3 }));
const ofFeature = fc.integer({ min: 0, max: FEATURES - 1 });
const overrides = fc.uniqueArray(fc.tuple(ofFeature, state, priority), {
  maxLength: 4,
  selector: ([feature]) => feature,
});
/** Values of no state, only of states that are off, or of all states. Values for only some users are not supported. */
const values = fc.constantFrom('none', 'of what is off', 'all', 'all');

const environment = fc.record({
  states: fc.array(fc.tuple(state, values), { minLength: FEATURES, maxLength: FEATURES }),
  segments: fc.array(fc.tuple(fc.array(rule, { minLength: 1, maxLength: 2 }), overrides), {
    minLength: SEGMENTS,
    maxLength: SEGMENTS,
  }),
  identities: fc.array(overrides, few),
});

type State = typeof state extends fc.Arbitrary<infer T> ? T : never;
type Generated = typeof environment extends fc.Arbitrary<infer T> ? T : never;

/** An environment document. */
function documentOf({ states, segments, identities }: Generated) {
  const stateOf = (feature: number, { feature_state_value: text, ...fields }: State, place: number | null) => {
    const [, which] = states[feature] ?? [];
    const hasValue = which === 'all' || (which === 'of what is off' && !fields.enabled);
    return {
      ...fields,
      feature: { id: feature + 1, name: `feature-${feature}`, type: 'STANDARD' },
      feature_state_value: hasValue ? text : null,
      multivariate_feature_state_values: hasValue ? fields.multivariate_feature_state_values : [],
      feature_segment: place === null ? null : { priority: place },
      featurestate_uuid: '40eb539d-3713-4720-bbd4-829dbef10d51',
    };
  };
  const overriding = (list: Generated['identities'][number]) => list.map((override) => stateOf(...override));
  return {
    id: 1,
    api_key: 'key',
    name: 'Test',
    project: {
      id: 1,
      name: 'Test',
      organisation: { id: 1, name: 'Test' },
      segments: segments.map(([rules, list], n) => ({
        id: n + 1,
        name: `segment ${n + 1}`,
        rules,
        feature_states: overriding(list),
      })),
    },
    feature_states: states.map(([own], feature) => stateOf(feature, own, null)),
    identity_overrides: identities.map((list, n) => ({
      identifier: IDENTITIES[n],
      identity_uuid: '0f21cde8-63c5-4e50-baca-87897fa6cd01',
      created_date: '2024-01-01T00:00:00Z',
      environment_api_key: 'key',
      identity_features: overriding(list),
    })),
  };
}

/** Traits are text, numbers, booleans, or missing. */
const contexts: fc.Arbitrary<Context[]> = fc.array(
  fc.record({
    key: fc.constantFrom(...IDENTITIES),
    attributes: attributesOf(
      { country: word, plan: word, name: word, age: fc.constantFrom(17, 18, 19.5), isPaying: fc.boolean() },
      [...ODD_TEXTS, ...ODD_SCALARS],
    ),
  }),
  { minLength: IDENTITIES_A_RUN, maxLength: IDENTITIES_A_RUN },
);
const samples = fc.tuple(environment, contexts).map(([generated, asking]) => ({
  file: documentOf(generated),
  flags: FEATURES,
  contexts: asking,
}));

const FLAGSMITH: Oracle<ReturnType<typeof documentOf>> = {
  service: 'Flagsmith',
  read: importFromFlagsmith,
  start: async (document) => {
    const flagsmith = flagsmithWith(document);
    return {
      valueOf: async (flag, { key, attributes }) => {
        const valueOfFeature = await flagsmithValues(flagsmith, key, attributes as Traits);
        return valueOfFeature(flag.key, flag.variationType !== 'boolean');
      },
    };
  },
};

test('gives each identity Flagsmith’s value, or a difference names its traits', async () => {
  const tally = await holdAgainst(FLAGSMITH, samples, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
  expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
}, 120_000);

test('gives Flagsmith’s value, or is left out, with a member of any type', async () => {
  const tally = await holdAgainst(ofOddFiles(FLAGSMITH), withOddMembers(samples), RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.3);
}, 120_000);

test('the shares of values are the same, and the identities are others', async () => {
  const drawn = { percentage_allocation: 30, multivariate_feature_option: { value: 'blue' }, id: 1 };
  const state = { enabled: true, feature_state_value: 'red', multivariate_feature_state_values: [drawn] };
  const document = documentOf({ states: [[state, 'all']], segments: [], identities: [] });
  const flagsmith = flagsmithWith(document);
  const theirs = async (identifier: string) => (await flagsmithValues(flagsmith, identifier, {}))('feature-0', true);
  const shares = await drawsSameShares(importFromFlagsmith(document), theirs);
  expect(shares).toEqual({ isSameShares: true, isSameUsers: false });
});
