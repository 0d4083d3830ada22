import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { User } from '../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromLaunchDarkly } from './import.ts';
import { launchDarklyWith } from './testing/launchdarkly.ts';

const RUNS = 100;
const FLAGS = 6;
const SEGMENTS = 3;
const USERS_A_RUN = 8;

const few = { maxLength: 2 };
const word = fc.constantFrom('us', 'de', 'u', 'pro', 'a.b');
const key = fc.constantFrom('us', 'ann', 'bob');
const text = fc.constantFrom('key', 'country', 'plan', 'name', '/plan');
const kind = fc.constantFrom({}, { contextKind: 'user' });

const clause = fc
  .tuple(
    fc.oneof(
      fc.record({
        attribute: text,
        op: fc.constantFrom('in', 'startsWith', 'endsWith', 'contains'),
        values: fc.array(word, { maxLength: 3 }),
      }),
      fc.record({
        attribute: text,
        op: fc.constant('matches'),
        values: fc.array(fc.constantFrom('^u', '^(us)?$', 'a.b'), few),
      }),
      fc.record({
        attribute: fc.constant('age'),
        op: fc.constantFrom('in', 'lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'),
        values: fc.array(fc.constantFrom(17, 18, 19.5), few),
      }),
      fc.record({ attribute: fc.constant('isPaying'), op: fc.constant('in'), values: fc.array(fc.boolean(), few) }),
      fc.record({
        attribute: fc.constant(''),
        op: fc.constant('segmentMatch'),
        values: fc.array(fc.constantFrom('segment-0', 'segment-1', 'segment-2'), { minLength: 1, maxLength: 2 }),
      }),
    ),
    fc.boolean(),
    kind,
  )
  .map(([asked, negate, fields]) => ({ ...asked, negate, ...fields }));
const unknown = fc.constantFrom({ attribute: 'version', op: 'semVerEqual', values: ['1.0.0'] });
const clauses = fc.array(fc.oneof({ weight: 20, arbitrary: clause }, { weight: 1, arbitrary: unknown }), few);

const served = fc.oneof(
  fc.record({ variation: fc.integer({ min: 0, max: 2 }) }),
  fc.constantFrom(
    { rollout: { variations: [{ variation: 1, weight: 100_000 }] } },
    {
      rollout: {
        variations: [
          { variation: 1, weight: 0 },
          { variation: 2, weight: 0 },
        ],
        bucketBy: 'plan',
      },
    },
  ),
);
const flag = fc.record(
  {
    on: fc.constantFrom(true, true, true, false),
    variations: fc.constantFrom<unknown[]>(['red', 'green', 'blue'], [1, 2, 2.5], [{ a: 1 }, [], null]),
    offVariation: fc.constantFrom(0, 2),
    targets: fc.array(fc.record({ values: fc.array(key, few), variation: fc.integer({ min: 0, max: 2 }) }), few),
    rules: fc.array(
      fc.tuple(clauses, served).map(([asked, result]) => ({ id: 'r', clauses: asked, ...result })),
      { maxLength: 3 },
    ),
    fallthrough: served,
  },
  { requiredKeys: ['on', 'variations', 'fallthrough', 'rules'] },
);
const segment = fc.record(
  {
    included: fc.array(key, few),
    excluded: fc.array(key, few),
    includedContexts: fc.array(fc.record({ contextKind: fc.constant('user'), values: fc.array(key, few) }), few),
    rules: fc.array(fc.record({ clauses }), few),
  },
  { requiredKeys: ['rules'] },
);
const environment = fc.record({
  flags: fc.array(flag, { minLength: FLAGS, maxLength: FLAGS }),
  segments: fc.array(segment, { minLength: SEGMENTS, maxLength: SEGMENTS }),
});
const user = fc.tuple(
  key,
  fc.record(
    { country: word, plan: word, name: word, age: fc.constantFrom(17, 18, 19.5), isPaying: fc.boolean() },
    { requiredKeys: [] },
  ),
);

const byKey = <T>(name: string, list: readonly T[]): Record<string, T> =>
  Object.fromEntries(list.map((item, n) => [`${name}-${n}`, item]));

test('LaunchDarkly’s own SDK gives each user what an imported flag gives, unless a difference says otherwise', async () => {
  const seen = { flags: 0, imported: 0, same: 0, inSegments: 0 };
  const users = fc.array(user, { minLength: USERS_A_RUN, maxLength: USERS_A_RUN });
  await fc.assert(
    fc.asyncProperty(environment, users, async (generated, asking) => {
      const file = { flags: byKey('flag', generated.flags), segments: byKey('segment', generated.segments) };
      const read = importFromLaunchDarkly(file);
      expect(read.flags.length + read.leftOut.filter((line) => line.startsWith('flag-')).length).toBe(FLAGS);
      seen.flags += FLAGS;
      seen.imported += read.flags.length;
      const client = await launchDarklyWith(file);
      for (const compiled of compileEnvironment(read.flags, { segments: read.segments }).flags) {
        const { key: flagKey, rules, variationType } = compiled.document;
        const inSegments = rules.some(({ conditions }) => conditions.some(({ value }) => value?.includes('segment-')));
        for (const [targetingKey, attributes] of asking) {
          const ours = compiled.evaluate(parseOfrepRequest({ context: { ...attributes, targetingKey } }) as User).value;
          const value = await client.variation(flagKey, { kind: 'user', key: targetingKey, ...attributes }, 'no value');
          const theirs = variationType === 'string' ? value : JSON.stringify(value);
          seen.same++;
          if (inSegments) seen.inSegments++;
          if (ours !== theirs)
            throw new Error(
              JSON.stringify({
                flagKey,
                ours,
                theirs,
                targetingKey,
                attributes,
                flag: file.flags[flagKey],
                segments: file.segments,
              }),
            );
        }
      }
      client.close();
    }),
    { numRuns: RUNS },
  );
  expect(seen.imported / seen.flags).toBeGreaterThan(0.5);
  expect(seen.same).toBeGreaterThan(2_000);
  expect(seen.inSegments).toBeGreaterThan(300);
}, 120_000);

test('the shares of variations are the same, and the users are others', async () => {
  const variations = [20_000, 50_000].map((weight, variation) => ({ variation, weight }));
  const flag = {
    on: true,
    salt: 's',
    variations: ['red', 'green'],
    rules: [],
    fallthrough: { rollout: { variations } },
  };
  const file = { flags: { f: flag } };
  const client = await launchDarklyWith(file);
  const shares = await drawsSameShares(importFromLaunchDarkly(file), (key) => client.variation('f', { key }, ''));
  client.close();
  expect(shares).toEqual({ isSameShares: true, isSameUsers: false });
});
