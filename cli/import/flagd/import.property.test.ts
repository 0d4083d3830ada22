import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { flagdWith } from '../../testing/evaluators/flagd.ts';
import { ofOddFiles, withOddMembers } from '../translation/testing/oddMembers.ts';
import { attributesOf, holdAgainst, type Oracle } from '../translation/testing/oracle.ts';
import { importFromFlagd } from './import.ts';

/** 10,000 flags in a long run. */
const RUNS = longRuns(1_000);
const FLAGS_A_RUN = 10;
const CONTEXTS_A_RUN = 8;

/** A condition alone returns true or false, so variants with these names exist. */
const VARIANTS = ['red', 'true', 'false'];

const variable = fc
  .constantFrom('country', 'country', 'plan', 'name', 'age', 'isPaying', 'groups', 'targetingKey')
  .chain((name) =>
    fc.constantFrom<object>(
      { var: name },
      { var: name },
      { var: [name] },
      { var: [name, ''] },
      { cat: [{ var: [name, ''] }] },
      { cat: [{ var: name }] },
    ),
  );
const word = fc.constantFrom('us', 'us', 'u', 'n', 'pro');
/** Values to compare a variable with, of its type or another. */
const literal = fc.oneof(
  { weight: 3, arbitrary: word },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      18,
      19.5,
      -1,
      true,
      false,
      '18',
      '18.0',
      '1',
      'true',
      'null',
      '',
      '["us"]',
    ),
  },
);
const inOrder = (isTurned: boolean, a: unknown, b: unknown) => (isTurned ? [b, a] : [a, b]);

const comparison = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom('==', '==', '===', '!=', '!=='), fc.boolean(), variable, literal)
      .map(([op, isTurned, a, b]) => ({ [op]: inOrder(isTurned, a, b) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('starts_with', 'ends_with'), variable, fc.oneof(word, fc.constantFrom('1', '[', ']')))
      .map(([op, a, b]) => ({ [op]: [a, b] })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(variable, fc.array(literal, { maxLength: 3 })).map(([a, list]) => ({ in: [a, list] })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.oneof(word, fc.constant('1')), variable).map(([a, b]) => ({ in: [a, b] })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('<', '<=', '>', '>='), fc.constantFrom(-1, 0, 1, 18), fc.boolean(), variable)
      .map(([op, bound, isTurned, a]) => ({ [op]: inOrder(isTurned, a, bound) })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { $ref: 'isUs' },
      { '!=': [{ var: 'name' }, null] },
      { sem_ver: ['1.0.0', '<', '2.0.0'] },
    ),
  },
);

const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 4, arbitrary: comparison },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
        .map(([op, parts]) => ({ [op]: parts })),
    },
    { weight: 1, arbitrary: tie('condition').map((part) => ({ '!': [part] })) },
  ),
}));

const key = fc.oneof(
  variable,
  variable.map((part) => ({ cat: [{ var: '$flagd.flagKey' }, part] })),
);
const fractional = fc.tuple(fc.option(key, { nil: undefined }), fc.constantFrom(0, 30, 100)).map(([by, weight]) => ({
  fractional: [...(by === undefined ? [] : [by]), ['true', weight], ['false', 100 - weight]],
}));
const result = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<unknown>(...VARIANTS, null, true) },
  { weight: 1, arbitrary: fractional },
);
const { rules } = fc.letrec<{ rules: object }>((tie) => ({
  rules: fc
    .tuple(
      fc.array(fc.tuple(condition, result), { minLength: 1, maxLength: 2 }),
      fc.option(fc.oneof({ maxDepth: 2 }, result, tie('rules'), condition), { nil: undefined }),
    )
    .map(([branches, otherwise]) => ({ if: [...branches.flat(), ...(otherwise === undefined ? [] : [otherwise])] })),
}));
const targeting = fc.oneof(
  { weight: 3, arbitrary: rules },
  { weight: 2, arbitrary: condition },
  { weight: 1, arbitrary: fractional },
);

const contexts = fc.array(
  fc.record({
    key: fc.constantFrom('us', 'ann', '18'),
    attributes: attributesOf({
      country: word,
      plan: word,
      name: word,
      age: fc.constantFrom(0, 1, 18, 19),
      isPaying: fc.boolean(),
      groups: fc.array(word, { maxLength: 2 }),
    }),
  }),
  { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN },
);
const samples = fc
  .tuple(
    fc.array(fc.tuple(targeting, fc.constantFrom(...VARIANTS)), { minLength: FLAGS_A_RUN, maxLength: FLAGS_A_RUN }),
    contexts,
  )
  .map(([definitions, asking]) => {
    const variants = Object.fromEntries(VARIANTS.map((name) => [name, `value of ${name}`]));
    const flags = definitions.map(([logic, defaultVariant], n) => [
      `flag-${n}`,
      { state: 'ENABLED', variants, defaultVariant, targeting: logic },
    ]);
    const file = { flags: Object.fromEntries(flags), $evaluators: { isUs: { '==': [{ var: 'country' }, 'us'] } } };
    return { file, flags: FLAGS_A_RUN, contexts: asking };
  });

const FLAGD: Oracle<object> = {
  service: 'flagd',
  read: importFromFlagd,
  start: async (file) => {
    const flagd = flagdWith(file);
    return {
      valueOf: async (flag, { key: targetingKey, attributes }) => {
        const { value, errorCode } = flagd.resolveStringEvaluation(flag.key, 'no value', {
          ...attributes,
          targetingKey,
        } as never);
        return errorCode === undefined ? value : undefined;
      },
    };
  },
};

test('gives each context flagd’s value, or a difference names the context', async () => {
  const tally = await holdAgainst(FLAGD, samples, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
  expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
}, 120_000);

test('gives flagd’s value, or is left out, with a member of any type', async () => {
  const tally = await holdAgainst(ofOddFiles(FLAGD), withOddMembers(samples), RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.3);
}, 120_000);
