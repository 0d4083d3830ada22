import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { ofOddFiles, withOddMembers } from '../translation/testing/oddMembers.ts';
import {
  attributesOf,
  type Context,
  FAILED,
  holdAgainst,
  type Oracle,
  type Sample,
} from '../translation/testing/oracle.ts';
import { importFromAppConfig } from './import.ts';
import { answerOf, type Document } from './testing/agentModel.ts';

/** 20,000 flags in a long run. */
const RUNS = longRuns(2_000);
const FLAGS_A_RUN = 10;
const CONTEXTS_A_RUN = 8;

const APPCONFIG: Oracle<Document> = {
  service: 'AWS AppConfig',
  read: importFromAppConfig,
  start: async (file) => ({
    valueOf: async ({ key, variationType }, context) =>
      isValid(file, key) ? answerOf(file, key, context, variationType === 'json') : FAILED,
  }),
};

const KEY = /^[a-z][a-zA-Z\d_-]{0,63}$/;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether AWS AppConfig's JSON schema allows a flag and its value. */
function isValid({ flags, values }: Document, key: string): boolean {
  const { _variants: variants, enabled, _createdAt, _updatedAt, ...attributes } = values?.[key] ?? {};
  const isEnabled = typeof enabled === 'boolean' || (enabled === undefined && variants !== undefined);
  const areVariants = variants === undefined || (Array.isArray(variants) && variants.every(isValidVariant));
  return (
    isObject(flags?.[key]) && isObject(values?.[key]) && isEnabled && areVariants && areValidAttributes(attributes)
  );
}

function isValidVariant(variant: unknown): boolean {
  if (!isObject(variant)) return false;
  const { name, enabled, rule = '', attributeValues = {}, ...others } = variant;
  return (
    typeof name === 'string' &&
    /^[^\n]{1,64}$/.test(name) &&
    typeof enabled === 'boolean' &&
    typeof rule === 'string' &&
    areValidAttributes(attributeValues) &&
    Object.keys(others).length === 0
  );
}

function areValidAttributes(attributes: unknown): boolean {
  const scalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
  return (
    isObject(attributes) &&
    Object.entries(attributes).every(
      ([key, value]) =>
        KEY.test(key) &&
        (Array.isArray(value)
          ? value.every((each) => typeof each === 'string') || value.every((each) => typeof each === 'number')
          : scalar(value)),
    )
  );
}

const attribute = fc.constantFrom('country', 'country', 'plan', 'name', 'age', 'beta', 'targetingKey');
const word = fc.constantFrom('us', 'us', 'u', 'pro', 's');
const text = fc.oneof({ weight: 5, arbitrary: word }, fc.constantFrom('', '18', 'true', 'a"b\\', '[', '18.0'));
const number = fc.constantFrom('0', '18', '-1', '19', '19.5', '18.0', '1.8e1', '9007199254740993');
const literal = fc.oneof(
  { weight: 4, arbitrary: text.map((each) => JSON.stringify(each)) },
  { weight: 2, arbitrary: number },
  { weight: 1, arbitrary: fc.constantFrom('true', 'false') },
);
const inOrder = (parts: readonly string[]) => fc.shuffledSubarray([...parts], { minLength: parts.length });

const comparison = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(attribute, literal).map(([name, value]) => `(eq $${name} ${value})`) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(attribute, fc.array(literal, { maxLength: 3 }))
      .map(([name, list]) => `(in $${name} [${list.join(', ')}])`),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom('begins_with', 'ends_with', 'contains'), attribute, text)
      .map(([op, name, value]) => `(${op} $${name} ${JSON.stringify(value)})`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), attribute, number)
      .map(([op, name, bound]) => `(${op}\n$${name} ${bound})`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(attribute, fc.constantFrom('^u', '^(us)?$', 'a.b', '^1'))
      .chain(([name, pattern]) => inOrder([`in::$${name}`, `pattern::${JSON.stringify(pattern)}`]))
      .map((parts) => `(matches ${parts.join(' ')})`),
  },
  { weight: 1, arbitrary: attribute.map((name) => `(exists key::"${name}")`) },
);
const percent = fc.constantFrom('0', '10', '25', '33.3', '50', '100');
const split = (by: string, seed: string) =>
  percent
    .chain((pct) => inOrder([`pct:: ${pct}`, `by::$${by}`, ...(seed === '' ? [] : [`seed::"${seed}"`])]))
    .map((parts) => `(split ${parts.join(' ')})`);
const unsupported = fc.constantFrom('(gt $age "18")', '(eq $plan $country)', '(near $age 1)', '(eq $age 2026-01-01T)');

/** Rules of a flag, with percentages of one hash, mostly. */
const rulesOf = (by: string, seed: string) => {
  const { rule } = fc.letrec<{ rule: string }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 3 },
      { weight: 8, arbitrary: comparison },
      { weight: 4, arbitrary: split(by, seed) },
      { weight: 1, arbitrary: fc.oneof({ weight: 2, arbitrary: split('plan', 'other') }, unsupported) },
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.constantFrom('and', 'or'), fc.array(tie('rule'), { minLength: 1, maxLength: 3 }))
          .map(([op, parts]) => `(${op} ${parts.join(' ')})`),
      },
      { weight: 3, arbitrary: tie('rule').map((part) => `(not ${part})`) },
    ),
  }));
  return fc.array(rule, { maxLength: 4 });
};

const attributes = fc.record(
  {
    size: fc.constantFrom<unknown>(1, 2.5, 'x'),
    'is-new': fc.boolean(),
    names: fc.constantFrom<unknown>([], ['a'], [1, 2]),
  },
  { requiredKeys: [] },
);
const noAttributes = fc.constant({});
const basic = fc
  .tuple(fc.boolean(), fc.oneof(noAttributes, attributes))
  .map(([enabled, values]) => ({ enabled, ...values }));
const multiVariant = fc
  .tuple(fc.constantFrom('plan', 'country', 'targetingKey'), fc.constantFrom('', '', 's'), fc.boolean())
  .chain(([by, seed, hasAttributes]) =>
    rulesOf(by, seed).chain((rules) => {
      const parts = fc.tuple(fc.boolean(), hasAttributes ? attributes : noAttributes);
      return fc.array(parts, { minLength: rules.length + 1, maxLength: rules.length + 1 }).map((contents) => ({
        _variants: contents.map(([enabled, attributeValues], n) => ({
          name: `v ${n}`,
          enabled,
          ...(Object.keys(attributeValues).length > 0 && { attributeValues }),
          ...(rules[n] !== undefined && { rule: rules[n] }),
        })),
      }));
    }),
  );
const definition = fc.constantFrom<object>(
  {},
  { name: 'F', description: 'd' },
  { attributes: { size: { constraints: { type: 'number' } } }, _createdAt: '2026-01-01T00:00:00Z' },
);
const value: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  { weight: 1, arbitrary: basic },
  { weight: 5, arbitrary: multiVariant },
);

const contexts: fc.Arbitrary<Context[]> = fc.array(
  fc.record({
    key: fc.constantFrom('us', 'ann', '18', 'bob', 'carl'),
    attributes: attributesOf({
      country: word,
      plan: word,
      name: word,
      age: fc.constantFrom<unknown>(17, 18, '18', 19.5, '1.8e1'),
      beta: fc.constantFrom<unknown>(true, false, 'true', '1'),
    }),
  }),
  { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN },
);
const samples: fc.Arbitrary<Sample<Document>> = fc
  .tuple(fc.array(fc.tuple(definition, value), { minLength: FLAGS_A_RUN, maxLength: FLAGS_A_RUN }), contexts)
  .map(([parts, asking]) => {
    const flags = Object.fromEntries(parts.map(([flag], n) => [`flag-${n}`, flag]));
    const values = Object.fromEntries(parts.map(([, content], n) => [`flag-${n}`, content]));
    return { file: { version: '1', flags, values }, flags: FLAGS_A_RUN, contexts: asking };
  });

test('gives each context AWS AppConfig’s answer, or a difference names the context', async () => {
  const tally = await holdAgainst(APPCONFIG, samples, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.6);
  expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
}, 240_000);

test('gives AWS AppConfig’s answer, or is left out, with a member of any type', async () => {
  const tally = await holdAgainst(ofOddFiles(APPCONFIG), withOddMembers(samples), RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
}, 240_000);
