import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { User } from '../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromFlagsmith } from './import.ts';
import { flagsmithValues, flagsmithWith } from './testing/flagsmith.ts';

const RUNS = 100;
const FEATURES = 6;
const SEGMENTS = 4;
const IDENTITIES = ['us', 'ann', 'bob'];
const IDENTITIES_A_RUN = 8;

const word = fc.constantFrom('us', 'de', 'u', 'pro', 'a.b');
const texts = fc.constantFrom('country', 'plan', 'name', '$.identity.identifier', '$.identity.traits.plan');

const condition = fc.oneof(
  fc.record({
    property_: texts,
    operator: fc.constantFrom('EQUAL', 'NOT_EQUAL', 'CONTAINS', 'NOT_CONTAINS', 'IS_SET', 'IS_NOT_SET'),
    value: word,
  }),
  fc.record({
    property_: texts,
    operator: fc.constant('IN'),
    value: fc.constantFrom('us,pro', '["de", "ann"]', 'bob'),
  }),
  fc.record({ property_: texts, operator: fc.constant('REGEX'), value: fc.constantFrom('^u', '^(us)?$', 'a.b') }),
  fc.record({
    property_: fc.constant('age'),
    operator: fc.constantFrom(
      ...['EQUAL', 'NOT_EQUAL', 'GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE', 'IN'],
    ),
    value: fc.constantFrom('17', '18', '18.0', '19.5'),
  }),
  fc.record({
    property_: fc.constant('isPaying'),
    operator: fc.constantFrom('EQUAL', 'NOT_EQUAL'),
    value: fc.constantFrom('true', 'True', 'false', 'False'),
  }),
  fc.record({
    property_: fc.constantFrom('age', ''),
    operator: fc.constantFrom('MODULO', 'PERCENTAGE_SPLIT'),
    value: fc.constant('2|0'),
  }),
);
const few = { maxLength: 2 };
const { rule } = fc.letrec((tie) => ({
  rule: fc.record({
    type: fc.constantFrom('ALL', 'ANY', 'NONE'),
    conditions: fc.array(condition, few),
    rules: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('rule'), few)),
  }),
}));

const value = fc.constantFrom<string>('red', 'green', '');
const variant = fc.record({
  percentage_allocation: fc.constantFrom<number>(0, 100),
  multivariate_feature_option: fc.record({ value: fc.constantFrom<string>('blue', 'white') }),
  id: fc.integer({ min: 1, max: 9 }),
});
const state = fc.record({
  enabled: fc.boolean(),
  feature_state_value: value,
  multivariate_feature_state_values: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    fc.array(variant, { maxLength: 1 }),
  ),
});
const priority = fc.option(fc.integer({ min: 0, max: 3 }));
const ofFeature = fc.integer({ min: 0, max: FEATURES - 1 });
const overrides = fc.uniqueArray(fc.tuple(ofFeature, state, priority), {
  maxLength: 4,
  selector: ([feature]) => feature,
});

const environment = fc.record({
  states: fc.array(fc.tuple(state, fc.boolean()), { minLength: FEATURES, maxLength: FEATURES }),
  segments: fc.array(fc.tuple(fc.array(rule, few), overrides), { minLength: SEGMENTS, maxLength: SEGMENTS }),
  identities: fc.array(overrides, few),
});

type State = typeof state extends fc.Arbitrary<infer T> ? T : never;
type Generated = typeof environment extends fc.Arbitrary<infer T> ? T : never;

/** An environment document; of some features no state has a value. */
function documentOf({ states, segments, identities }: Generated) {
  const stateOf = (feature: number, { feature_state_value: text, ...fields }: State, place: number | null) => ({
    ...fields,
    feature: { id: feature + 1, name: `feature-${feature}`, type: 'STANDARD' },
    feature_state_value: states[feature]?.[1] ? null : text,
    multivariate_feature_state_values: states[feature]?.[1] ? [] : fields.multivariate_feature_state_values,
    feature_segment: place === null ? null : { priority: place },
    featurestate_uuid: '40eb539d-3713-4720-bbd4-829dbef10d51',
  });
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

const identity = fc.tuple(
  fc.constantFrom(...IDENTITIES),
  fc.record(
    { country: word, plan: word, name: word, age: fc.constantFrom(17, 18, 19.5), isPaying: fc.boolean() },
    { requiredKeys: [] },
  ),
);

test('Flagsmith’s own SDK gives each identity what an imported flag gives, unless a difference says otherwise', async () => {
  const seen = { flags: 0, imported: 0, same: 0, withValues: 0, inSegments: 0 };
  const identities = fc.array(identity, { minLength: IDENTITIES_A_RUN, maxLength: IDENTITIES_A_RUN });
  await fc.assert(
    fc.asyncProperty(environment, identities, async (generated, asking) => {
      const document = documentOf(generated);
      const flagsmith = flagsmithWith(document);
      const read = importFromFlagsmith(document);
      expect(read.flags.length + read.leftOut.filter((line) => line.startsWith('feature-')).length).toBe(FEATURES);
      seen.flags += FEATURES;
      seen.imported += read.flags.length;
      const { flags } = compileEnvironment(read.flags, { segments: read.segments });
      for (const [identifier, traits] of asking) {
        const theirsOf = await flagsmithValues(flagsmith, identifier, traits);
        const user = parseOfrepRequest({ context: { ...traits, targetingKey: identifier } }) as User;
        for (const compiled of flags) {
          const { key, variationType, rules } = compiled.document;
          const used = rules.flatMap(({ conditions }) => conditions.map(({ value }) => value?.match(/\d+/)?.[0]));
          const differs = (how: string) =>
            used.some((id) => read.differences.some((line) => line.startsWith(`segment segment ${id}: ${how}`)));
          if (differs('asks what the name is not') && traits.name === undefined) continue;
          const hasValues = variationType !== 'boolean';
          const ours = compiled.evaluate(user).value;
          const theirs = theirsOf(key, hasValues);
          seen.same++;
          if (hasValues) seen.withValues++;
          if (used.length > 0) seen.inSegments++;
          if (ours !== theirs) throw new Error(JSON.stringify({ key, ours, theirs, identifier, traits, document }));
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(seen.imported / seen.flags).toBeGreaterThan(0.3);
  expect(seen.same).toBeGreaterThan(2_000);
  expect(seen.withValues).toBeGreaterThan(500);
  expect(seen.inSegments).toBeGreaterThan(300);
}, 120_000);

test('the shares of values are the same, and the identities are others', async () => {
  const drawn = { percentage_allocation: 30, multivariate_feature_option: { value: 'blue' }, id: 1 };
  const state = { enabled: true, feature_state_value: 'red', multivariate_feature_state_values: [drawn] };
  const document = documentOf({ states: [[state, false]], segments: [], identities: [] });
  const flagsmith = flagsmithWith(document);
  const theirs = async (identifier: string) => (await flagsmithValues(flagsmith, identifier, {}))('feature-0', true);
  const shares = await drawsSameShares(importFromFlagsmith(document), theirs);
  expect(shares).toEqual({ isSameShares: true, isSameUsers: false });
});
