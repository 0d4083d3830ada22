import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { User } from '../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromUnleash } from './import.ts';
import { unleashValue, unleashWith } from './testing/unleash.ts';

const RUNS = 300;
const FEATURES_A_RUN = 10;
const CONTEXTS_A_RUN = 10;

const word = fc.constantFrom('us', 'de', 'u', 'Pro', '18', 'a.b');
const field = fc.constantFrom('userId', 'country', 'plan', 'name', 'age');
const flags = { inverted: fc.boolean() };

const constraint = fc.oneof(
  fc.record({
    contextName: field,
    operator: fc.constantFrom('IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'),
    values: fc.array(word, { maxLength: 3 }),
    caseInsensitive: fc.boolean(),
    ...flags,
  }),
  fc.record({
    contextName: fc.constantFrom('age', 'plan'),
    operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
    value: fc.constantFrom('17', '18', '19.5', 'no number'),
    values: fc.constant([]),
    ...flags,
  }),
  fc.record({
    contextName: field,
    operator: fc.constant('REGEX'),
    value: fc.constantFrom('^u', '^(us)?$', 'a.b', '['),
    values: fc.constant([]),
    ...flags,
  }),
  fc.record({
    contextName: field,
    operator: fc.constantFrom('SEMVER_EQ', 'DATE_AFTER', 'IN_CIDR'),
    value: fc.constant('1.0.0'),
    values: fc.constant([]),
    ...flags,
  }),
);

const variant = fc.record(
  {
    name: fc.constantFrom('red', 'green', 'blue'),
    weight: fc.constantFrom(0, 500, 1_000),
    payload: fc.constant({ type: 'string', value: 'text' }),
    overrides: fc.array(fc.record({ contextName: field, values: fc.array(word, { maxLength: 2 }) }), { maxLength: 2 }),
  },
  { requiredKeys: ['name', 'weight'] },
);
const variants = fc.uniqueArray(variant, { maxLength: 3, selector: ({ name }) => name });

const strategy = fc.record(
  {
    name: fc.constantFrom('default', 'default', 'flexibleRollout', 'flexibleRollout', 'userWithId', 'remoteAddress'),
    parameters: fc.record(
      {
        rollout: fc.constantFrom('100', '100', '0', '50'),
        stickiness: fc.constantFrom('default', 'userId', 'country', 'random'),
        groupId: fc.constantFrom('a', 'b'),
        userIds: fc.constantFrom('us,ann', 'bob , us', ' us,ann '),
      },
      { requiredKeys: ['rollout'] },
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
    strategies: fc.array(strategy, { maxLength: 3 }),
    variants: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, variants),
  }),
  { minLength: FEATURES_A_RUN, maxLength: FEATURES_A_RUN },
);
const segments = fc.tuple(fc.array(constraint, { maxLength: 2 }), fc.array(constraint, { maxLength: 2 }));

const context = fc.record(
  {
    userId: fc.constantFrom('us', 'ann', 'A.B'),
    country: word,
    plan: word,
    name: word,
    age: fc.constantFrom('17', '18', '19.5'),
  },
  { requiredKeys: ['userId'] },
);

test('Unleash’s own SDK gives each context what an imported flag gives, unless a difference says otherwise', () => {
  const seen = { flags: 0, imported: 0, same: 0, withVariants: 0, inSegments: 0 };
  const contexts = fc.array(context, { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN });
  fc.assert(
    fc.property(features, segments, contexts, (definitions, constraints, asking) => {
      const file = {
        features: definitions.map((definition, n) => ({ name: `feature-${n}`, ...definition })),
        segments: constraints.map((list, n) => ({ id: n + 1, name: `segment ${n + 1}`, constraints: list })),
      };
      const unleash = unleashWith(file);
      const read = importFromUnleash(file);
      const named = read.leftOut.filter((line) => line.startsWith('feature-'));
      expect(read.flags.length + named.length).toBe(FEATURES_A_RUN);
      seen.flags += FEATURES_A_RUN;
      seen.imported += read.flags.length;
      for (const compiled of compileEnvironment(read.flags, { segments: read.segments }).flags) {
        const { key, variationType, rules } = compiled.document;
        const used = rules.flatMap(({ conditions }) =>
          conditions.flatMap(({ value }) => value?.match(/unleash-\d/g) ?? []),
        );
        const called = [key, ...used.map((id) => id.replace('unleash-', 'segment segment '))];
        const differs = (how: string) =>
          called.some((name) => read.differences.some((line) => line.startsWith(`${name}: ${how}`)));
        if (differs('has percentages')) continue;
        const feature = { name: key, hasVariants: variationType !== 'boolean' };
        for (const asked of asking) {
          if (differs('compares numbers') && (asked.age === undefined || Number.isNaN(Number(asked.plan)))) continue;
          if (differs('asks what the name is not') && asked.name === undefined) continue;
          const { userId: targetingKey, ...properties } = asked;
          const ours = compiled.evaluate(parseOfrepRequest({ context: { targetingKey, ...properties } }) as User).value;
          const theirs = unleashValue(unleash, feature, asked as Record<string, string>);
          seen.same++;
          if (feature.hasVariants) seen.withVariants++;
          if (used.length > 0) seen.inSegments++;
          const report = {
            key,
            ours,
            theirs,
            asked,
            feature: file.features.find(({ name }) => name === key),
            segments: file.segments,
          };
          if (theirs !== ours) throw new Error(JSON.stringify(report));
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(seen.imported / seen.flags).toBeGreaterThan(0.2);
  expect(seen.same).toBeGreaterThan(3_000);
  expect(seen.withVariants).toBeGreaterThan(500);
  expect(seen.inSegments).toBeGreaterThan(100);
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
])('of %s the shares are the same, and the users are others', async (_, fields) => {
  const variants = ['red', 'green', 'blue'].map((name, n) => ({ name, weight: 100 * (n + 1) }));
  const file = { features: [{ name: 'f', enabled: true, variants, ...fields }] };
  const unleash = unleashWith(file);
  const theirs = (userId: string) => unleashValue(unleash, { name: 'f', hasVariants: true }, { userId });
  const drawn = await drawsSameShares(importFromUnleash(file), theirs);
  expect(drawn).toEqual({ isSameShares: true, isSameUsers: false });
});
