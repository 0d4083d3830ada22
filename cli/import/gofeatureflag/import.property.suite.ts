import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWith } from '../../../dev/support/jest/describeWith.ts';
import { goTool } from '../../../dev/support/tools/go.ts';
import { longRuns } from '../../../shared/testing/runs.ts';
import { GO_FEATURE_FLAG, startGoFeatureFlag } from '../../testing/evaluators/goFeatureFlag.ts';
import { attributesOf, holdAgainst, type Oracle } from '../translation/testing/oracle.ts';
import { textOf } from '../translation/values.ts';
import { importFromGoFeatureFlag } from './import.ts';

/** 500 flags in a long run. */
const RUNS = longRuns(50);
const FLAGS_A_RUN = 10;
const CONTEXTS_A_RUN = 200;

const attribute = fc.constantFrom('country', 'country', 'plan', 'name', 'age', 'beta', 'groups', 'key', 'anonymous');
const word = fc.constantFrom('us', 'us', 'u', 'n', 'pro');
const text = fc.oneof({ weight: 5, arbitrary: word }, fc.constantFrom('', '18', 'true', '[', 'US'));
const number = fc.constantFrom('0', '18', '-1', '19', '19.5', '18.0');

const comparison = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(attribute, fc.constantFrom('eq', 'eq', '==', 'ne', '!=', 'co', 'sw', 'ew'), text)
      .map(([name, op, value]) => `${name} ${op} "${value}"`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attribute, fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', '>', '<='), number)
      .map((parts) => parts.join(' ')),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attribute, fc.array(text, { minLength: 1, maxLength: 3 }))
      .map(([name, list]) => `${name} in [${list.map((each) => `"${each}"`).join(', ')}]`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attribute, fc.constantFrom('eq true', 'ne true', 'eq false', 'ne false', 'pr', 'eq null', 'ne null'))
      .map((parts) => parts.join(' ')),
  },
  { weight: 1, arbitrary: fc.constantFrom('version gt 1.2.3', 'age in [1, 2]', 'plan gt "a"', 'plan eq pro') },
);
const { query } = fc.letrec<{ query: string }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: comparison },
    {
      weight: 2,
      arbitrary: fc.tuple(tie('query'), fc.constantFrom('and', 'or'), tie('query')).map((parts) => parts.join(' ')),
    },
    { weight: 1, arbitrary: tie('query').map((part) => `(${part})`) },
    { weight: 1, arbitrary: tie('query').map((part) => `not (${part})`) },
  ),
}));
const logic = fc
  .tuple(fc.constantFrom('==', '!=', '===', 'in'), fc.constantFrom('country', 'plan', 'targetingKey', 'key'), word)
  .map(([op, name, value]) => JSON.stringify({ [op]: [{ var: name }, op === 'in' ? [value, 'x'] : value] }));

/** A query with a space more, or one less. */
const badlySpaced = fc.tuple(query, fc.nat(), fc.constantFrom('', '  ', '\n', ' \n', '\t')).map(([text, n, space]) => {
  const places = [...text.matchAll(/[ ()[\],]/g)].map(({ index }) => index);
  const at = places[n % Math.max(1, places.length)] ?? 0;
  return `${text.slice(0, at)}${space}${text.slice(text[at] === ' ' ? at + 1 : at)}`;
});

const NAMES = ['red', 'green', 'blue'];
const served = fc.oneof(
  { weight: 3, arbitrary: fc.record({ variation: fc.constantFrom(...NAMES) }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { percentage: { red: 20, green: 80 } },
      { percentage: { red: 10, green: 20, blue: 30 } },
      { percentage: { red: 0, blue: 100 } },
      { percentage: { green: 33.333, blue: 66.667 }, variation: 'red' },
    ),
  },
);
const rule = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: query }, { weight: 2, arbitrary: badlySpaced }, logic),
    served,
    fc.constantFrom({}, {}, {}, { disable: true }),
  )
  .map(([asked, result, fields]) => ({ query: asked, ...result, ...fields }));
const flag = fc.record(
  {
    variations: fc.constantFrom<object>(
      { red: 'r', green: 'g', blue: 'b' },
      { red: 1, green: 2, blue: 2.5 },
      { red: { a: 1 }, green: { a: [] }, blue: {} },
    ),
    targeting: fc.array(rule, { maxLength: 3 }),
    defaultRule: served,
    bucketingKey: fc.constantFrom('country', 'plan', 'name', 'key', 'targetingKey', ''),
    disable: fc.constantFrom(false, false, false, true),
  },
  { requiredKeys: ['variations', 'defaultRule'] },
);
const contexts = fc.array(
  fc.record({
    key: fc.constantFrom('us', 'ann', '18', 'u-1', 'u-2', 'u-3', 'u-4'),
    attributes: attributesOf({
      country: word,
      plan: word,
      name: word,
      age: fc.constantFrom(0, 17, 18, 19, 19.5),
      beta: fc.boolean(),
      groups: fc.array(word, { maxLength: 2 }),
      anonymous: fc.boolean(),
    }),
  }),
  { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN },
);
const samples = fc
  .tuple(fc.array(flag, { minLength: FLAGS_A_RUN, maxLength: FLAGS_A_RUN }), fc.noShrink(contexts))
  .map(([definitions, asking]) => ({
    file: { flags: Object.fromEntries(definitions.map((definition, n) => [`flag-${n}`, definition])) },
    flags: FLAGS_A_RUN,
    contexts: asking,
  }));

const describeWithGo = await describeWith(goTool(GO_FEATURE_FLAG));

describeWithGo('an imported flag', () => {
  test('gives each context GO Feature Flag’s value, or a difference names the context', async () => {
    const evaluator = await startGoFeatureFlag();
    const oracle: Oracle<{ flags: Record<string, object> }> = {
      service: 'GO Feature Flag',
      read: (file) => importFromGoFeatureFlag(file),
      start: async ({ flags }) => ({
        valueOf: async ({ key, isArchived }, context) => {
          // Its relay keeps the key among the attributes.
          const attributes = { ...context.attributes, targetingKey: context.key };
          const json = JSON.stringify({ [key]: flags[key] });
          const answer = await evaluator.evaluate({ json, contexts: [{ key: context.key, attributes }] });
          const [value = null] = answer[key] ?? [];
          if (isArchived) expect(value).toBeNull();
          return value === null ? undefined : textOf(value);
        },
      }),
    };
    try {
      const tally = await holdAgainst(oracle, samples, RUNS);
      expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
      expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
    } finally {
      evaluator.close();
    }
  }, 240_000);
});
