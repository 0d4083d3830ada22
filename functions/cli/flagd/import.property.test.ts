import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { User } from '../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { longRuns } from '../../../shared/testing/runs.ts';
import { importFromFlagd } from './import.ts';
import { flagdWith } from './testing/flagd.ts';

const RUNS = longRuns(500);
const FLAGS_A_RUN = 10;
const CONTEXTS_A_RUN = 10;

const VARIANTS = ['red', 'green', 'blue'];
const WORDS = ['us', 'de', 'u', 'pro', '18'];

const variable = fc
  .constantFrom('country', 'plan', 'name', 'targetingKey')
  .chain((name) =>
    fc.constantFrom<object>({ var: name }, { var: [name] }, { var: [name, ''] }, { cat: [{ var: [name, ''] }] }),
  );
const word = fc.constantFrom(...WORDS);

const comparison = fc.oneof(
  fc.tuple(fc.constantFrom('==', '===', '!=', '!=='), variable, word).map(([op, a, b]) => ({ [op]: [a, b] })),
  fc.tuple(fc.constantFrom('starts_with', 'ends_with'), variable, word).map(([op, a, b]) => ({ [op]: [a, b] })),
  fc.tuple(variable, fc.array(word, { maxLength: 3 })).map(([a, list]) => ({ in: [a, list] })),
  fc.tuple(word, variable).map(([a, b]) => ({ in: [a, b] })),
  fc
    .tuple(fc.constantFrom('<', '<=', '>', '>='), fc.integer({ min: 16, max: 20 }), fc.boolean())
    .map(([op, bound, isTurned]) => ({ [op]: isTurned ? [bound, { var: 'age' }] : [{ var: 'age' }, bound] })),
  fc.constantFrom<object>({ $ref: 'isUs' }, { '!=': [{ var: 'name' }, null] }, { sem_ver: ['1.0.0', '<', '2.0.0'] }),
);

const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
      .map(([op, parts]) => ({ [op]: parts })),
    tie('condition').map((part) => ({ '!': [part] })),
  ),
}));

const result = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<unknown>(...VARIANTS, null) },
  {
    weight: 1,
    arbitrary: fc.constant({
      fractional: [
        ['red', 30],
        ['blue', 70],
      ],
    }),
  },
);
const targeting = fc.letrec<{ rules: object }>((tie) => ({
  rules: fc
    .tuple(
      fc.array(fc.tuple(condition, result), { minLength: 1, maxLength: 2 }),
      fc.option(fc.oneof({ maxDepth: 2 }, result, tie('rules')), { nil: undefined }),
    )
    .map(([branches, otherwise]) => ({ if: [...branches.flat(), ...(otherwise === undefined ? [] : [otherwise])] })),
})).rules;

const context = fc.record(
  {
    targetingKey: fc.constantFrom('us', 'ann'),
    country: word,
    plan: word,
    name: word,
    age: fc.integer({ min: 15, max: 21 }),
  },
  { requiredKeys: ['targetingKey'] },
);

describe('flagd’s own evaluator', () => {
  test('gives each context what an imported flag gives, unless a difference says otherwise', () => {
    const seen = { flags: 0, imported: 0, same: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.tuple(targeting, fc.constantFrom(...VARIANTS)), { minLength: FLAGS_A_RUN, maxLength: FLAGS_A_RUN }),
        fc.array(context, { minLength: CONTEXTS_A_RUN, maxLength: CONTEXTS_A_RUN }),
        (definitions, contexts) => {
          const variants = Object.fromEntries(VARIANTS.map((name) => [name, `value of ${name}`]));
          const flags = definitions.map(([rules, defaultVariant], n) => [
            `flag-${n}`,
            { state: 'ENABLED', variants, defaultVariant, targeting: rules },
          ]);
          const file = {
            flags: Object.fromEntries(flags),
            $evaluators: { isUs: { '==': [{ var: 'country' }, 'us'] } },
          };
          const flagd = flagdWith(file);
          const read = importFromFlagd(file);
          expect(read.flags.length + read.leftOut.length).toBe(FLAGS_A_RUN);
          seen.flags += FLAGS_A_RUN;
          seen.imported += read.flags.length;
          for (const compiled of compileEnvironment(read.flags).flags) {
            const { key } = compiled.document;
            const differs = (how: string) => read.differences.some((text) => text.startsWith(`${key}: ${how}`));
            if (differs('has percentages')) continue;
            for (const asked of contexts) {
              if (differs('compares numbers') && asked.age === undefined) continue;
              if (differs('asks what the name is not') && asked.name === undefined) continue;
              const ours = compiled.evaluate(parseOfrepRequest({ context: asked }) as User).value;
              const theirs = flagd.resolveStringEvaluation(key, 'no value', asked);
              seen.same++;
              const report = { key, ours, theirs, asked, flag: file.flags[key] };
              if (theirs.value !== ours) throw new Error(JSON.stringify(report));
            }
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(seen.imported / seen.flags).toBeGreaterThan(0.3);
    expect(seen.same).toBeGreaterThan(10 * RUNS);
  }, 120_000);
});
