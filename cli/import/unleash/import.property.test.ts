import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { type UnleashContext, unleashValue, unleashWith } from '../../testing/evaluators/unleash.ts';
import { ofOddFiles, withOddMembers } from '../translation/testing/oddMembers.ts';
import { attributesOf, holdAgainst, ODD_SCALARS, ODD_TEXTS, type Oracle } from '../translation/testing/oracle.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromUnleash } from './import.ts';

/** 20,000 features in a long run. */
const RUNS = longRuns(2_000);
const FEATURES_A_RUN = 10;
const CONTEXTS_A_RUN = 8;

const word = fc.constantFrom('us', 'us', 'u', 'Pro', '18', 'a.b');
const field = fc.constantFrom('userId', 'country', 'plan', 'name', 'age', 'appName');
const flags = { inverted: fc.boolean() };

const constraint = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      contextName: field,
      operator: fc.constantFrom('IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
      values: fc.array(fc.oneof(word, fc.constantFrom('', ' us ', 'true', 'test', 'k', 'k')), { maxLength: 3 }),
      caseInsensitive: fc.boolean(),
      ...flags,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      contextName: fc.constantFrom('age', 'plan', 'userId'),
      operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
      value: fc.constantFrom<unknown>('17', '18', '19.5', '0', '-1', 18, 'no number'),
      values: fc.constant([]),
      ...flags,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      contextName: field,
      operator: fc.constant('REGEX'),
      value: fc.constantFrom('^u', '^(us)?$', 'a.b', '['),
      values: fc.constant([]),
      ...flags,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      contextName: field,
      operator: fc.constantFrom('SEMVER_EQ', 'DATE_AFTER', 'IN_CIDR'),
      value: fc.constant('1.0.0'),
      values: fc.constant([]),
      ...flags,
    }),
  },
);

const variant = fc.record(
  {
    name: fc.constantFrom('red', 'green', 'blue'),
    weight: fc.constantFrom(0, 500, 1_000),
    payload: fc.constantFrom({ type: 'string', value: 'text' }, { type: 'json', value: '{"a":1}' }),
    stickiness: fc.constantFrom('default', 'userId', 'country'),
    overrides: fc.array(
      fc.record({ contextName: field, values: fc.array(fc.oneof(word, fc.constant('')), { maxLength: 2 }) }),
      { maxLength: 1 },
    ),
  },
  { requiredKeys: ['name', 'weight'] },
);
const variants = fc.uniqueArray(variant, { minLength: 1, maxLength: 3, selector: ({ name }) => name });

const strategy = fc.record(
  {
    name: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('default', 'default', 'flexibleRollout', 'flexibleRollout', 'userWithId'),
      },
      { weight: 1, arbitrary: fc.constantFrom('gradualRolloutUserId', 'gradualRolloutSessionId', 'remoteAddress') },
    ),
    parameters: fc.record(
      {
        rollout: fc.constantFrom('100', '100', '0', '50'),
        percentage: fc.constantFrom('100', '50'),
        stickiness: fc.constantFrom('default', 'userId', 'country', 'country', 'random'),
        groupId: fc.constantFrom('a', 'b'),
        userIds: fc.constantFrom('us,ann', 'bob , us', ' us,ann '),
      },
      { requiredKeys: ['rollout', 'percentage'] },
    ),
    constraints: fc.array(constraint, { maxLength: 2 }),
    segments: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
    ),
    variants: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, variants),
  },
  { requiredKeys: ['name', 'parameters'] },
);

const features = fc.array(
  fc.record({
    enabled: fc.constantFrom(true, true, true, false),
    strategies: fc.oneof(
      { weight: 3, arbitrary: fc.array(strategy, { maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(strategy, { maxLength: 3 }) },
    ),
    variants: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, variants),
  }),
  { minLength: FEATURES_A_RUN, maxLength: FEATURES_A_RUN },
);
const segments = fc.tuple(fc.array(constraint, { maxLength: 2 }), fc.array(constraint, { maxLength: 2 }));

/**
 * Contexts of Unleash have text and numbers, which its SDKs convert to text. A session is text. Its types allow nothing
 * else.
 */
/** A third form of the letter k: the kelvin sign. */
const KELVIN = '\u212a';
const numbers = ODD_SCALARS.filter((value) => typeof value === 'number');
const contexts = fc.array(
  fc
    .tuple(
      fc.constantFrom('us', 'ann', 'bob', '18'),
      attributesOf({ country: word, plan: word, name: word, age: fc.constantFrom('17', '18', 19.5), appName: word }, [
        ...ODD_TEXTS,
        KELVIN,
        KELVIN,
        ...numbers,
      ]),
      fc.constantFrom({}, { sessionId: '' }, { sessionId: 'us' }),
    )
    .map(([key, attributes, session]) => ({ key, attributes: { ...attributes, ...session } })),
  { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN },
);
const samples = fc.tuple(features, segments, contexts).map(([definitions, constraints, asking]) => ({
  file: {
    features: definitions.map((definition, n) => ({ name: `feature-${n}`, ...definition })),
    segments: constraints.map((list, n) => ({ id: n + 1, name: `segment ${n + 1}`, constraints: list })),
  },
  flags: FEATURES_A_RUN,
  contexts: asking,
}));

const UNLEASH: Oracle<{ features: object[]; segments: object[] }> = {
  service: 'Unleash',
  read: importFromUnleash,
  start: async (file) => {
    const unleash = unleashWith(file);
    return {
      valueOf: async ({ key: name, variationType, variations }, { key: userId, attributes }) =>
        unleashValue(
          unleash,
          { name, hasVariants: variationType !== 'boolean' },
          { userId, ...(attributes as UnleashContext) },
        ) ?? variations.find(({ id }) => id === 'disabled')?.value,
    };
  },
};

test('gives each context Unleash’s value, or a difference names the context', async () => {
  const tally = await holdAgainst(UNLEASH, samples, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
  expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
}, 120_000);

test('gives Unleash’s value, or is left out, with a member of any type', async () => {
  const tally = await holdAgainst(ofOddFiles(UNLEASH), withOddMembers(samples), RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.3);
}, 120_000);

test.each<[string, object]>([
  [
    'variants of those who are drawn',
    { strategies: [{ name: 'flexibleRollout', parameters: { rollout: '40', groupId: 'f' } }] },
  ],
  [
    'strategies of one group',
    {
      strategies: ['30', '60'].map((rollout) => ({ name: 'flexibleRollout', parameters: { rollout, groupId: 'f' } })),
    },
  ],
])('has equal shares of other users for %s', async (_, fields) => {
  const variants = ['red', 'green', 'blue'].map((name, n) => ({ name, weight: 100 * (n + 1) }));
  const file = { features: [{ name: 'f', enabled: true, variants, ...fields }] };
  const unleash = unleashWith(file);
  const theirs = (userId: string) => unleashValue(unleash, { name: 'f', hasVariants: true }, { userId }) ?? 'disabled';
  const drawn = await drawsSameShares(importFromUnleash(file), theirs);
  expect(drawn).toEqual({ isSameShares: true, isSameUsers: false });
});
