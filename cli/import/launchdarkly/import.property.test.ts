import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../../shared/testing/runs.ts';
import { launchDarklyWith } from '../../testing/evaluators/launchdarkly.ts';
import { ODD_MEMBERS, ofOddFiles, withOddMembers } from '../translation/testing/oddMembers.ts';
import { attributesOf, holdAgainst, type Oracle } from '../translation/testing/oracle.ts';
import { drawsSameShares } from '../translation/testing/shares.ts';
import { importFromLaunchDarkly } from './import.ts';

const FLAGS = 6;
/** 5,000 flags in a long run. */
const RUNS = longRuns(834);
const SEGMENTS = 3;
const USERS_A_RUN = 8;

const few = { maxLength: 2 };
const word = fc.constantFrom('us', 'us', 'u', 'pro', 'a.b');
const number = fc.constantFrom(17, 18, 19.5, 0);
const key = fc.constantFrom('us', 'ann', 'bob', '18');
const attribute = fc.constantFrom('key', 'country', 'plan', 'name', 'age', 'isPaying', 'groups', 'groups');
const kind = fc.constantFrom({}, { contextKind: 'user' });
const place = fc.integer({ min: 0, max: 2 });

/** Values of a clause, of the operator's type or another. */
const anyValue = fc.oneof(word, number, fc.boolean(), fc.constantFrom('18', '19.5', 'true', '["us"]', '{"a":1}', '1'));
const clause = fc
  .tuple(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          attribute,
          op: fc.constant('in'),
          values: fc.array(anyValue, { minLength: 1, maxLength: 4 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          attribute: fc.oneof(attribute, fc.constant('/plan')),
          op: fc.constantFrom('startsWith', 'endsWith', 'contains'),
          values: fc.array(anyValue, { maxLength: 3 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          attribute,
          op: fc.constant('matches'),
          values: fc.array(fc.constantFrom<unknown>('^u', '^(us)?$', 'a.b', '^1', 18), few),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          attribute,
          op: fc.constantFrom('lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'),
          values: fc.array(fc.oneof(number, fc.constant('18')), few),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          attribute: fc.constant(''),
          op: fc.constant('segmentMatch'),
          values: fc.array(fc.constantFrom('segment-0', 'segment-1', 'segment-2'), { minLength: 1, maxLength: 2 }),
        }),
      },
    ),
    fc.boolean(),
    kind,
  )
  .map(([asked, negate, fields]) => ({ ...asked, negate, ...fields }));
const unknown = fc.constantFrom(
  { attribute: 'version', op: 'semVerEqual', values: ['1.0.0'] },
  { attribute: 'plan', op: 'in', values: ['pro'], contextKind: 'org' },
);
const clauses = fc.array(fc.oneof({ weight: 40, arbitrary: clause }, { weight: 1, arbitrary: unknown }), {
  minLength: 1,
  maxLength: 2,
});

const weights = fc
  .tuple(fc.constantFrom(0, 20_000, 100_000), fc.constantFrom(0, 30_000))
  .map(([first, second]) =>
    [1, 2, 0].map((variation, n) => ({ variation, weight: [first, first === 100_000 ? 0 : second, 0][n] })),
  );
const rollout = fc.record(
  {
    variations: weights,
    bucketBy: fc.constantFrom('key', 'country', 'age', 'isPaying', 'groups', 'name', 'missing'),
    kind: fc.constantFrom('rollout', 'rollout', 'experiment'),
  },
  { requiredKeys: ['variations'] },
);
const served = fc.oneof(
  { weight: 3, arbitrary: fc.record({ variation: place }) },
  { weight: 1, arbitrary: fc.record({ rollout }) },
  { weight: 1, arbitrary: fc.record({ variation: place, rollout }) },
);
/** Attributes as LaunchDarkly supports them, and lists that it never writes. */
const contextTargets = fc.array(
  fc.oneof(
    fc.record({ contextKind: fc.constant('user'), variation: place, values: fc.constantFrom([], ['ann']) }),
    fc.record({ variation: place, values: fc.constant([]) }),
    fc.record({ contextKind: fc.constant('org'), variation: place, values: fc.constantFrom([], [], [], ['us']) }),
  ),
  { maxLength: 3 },
);
const flag = fc.record(
  {
    on: fc.constantFrom(true, true, true, false),
    variations: fc.constantFrom<unknown[]>(['red', 'green', 'blue'], [1, 2, 2.5], [{ a: 1 }, [], null]),
    offVariation: fc.constantFrom(0, 2),
    targets: fc.array(fc.record({ values: fc.array(key, few), variation: place }), { maxLength: 3 }),
    contextTargets,
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
const contexts = fc.array(
  fc.record({
    key,
    attributes: attributesOf({
      country: word,
      plan: word,
      name: word,
      age: number,
      isPaying: fc.boolean(),
      groups: fc.array(word, few),
    }),
  }),
  { minLength: USERS_A_RUN, maxLength: USERS_A_RUN },
);

const byKey = <T>(name: string, list: readonly T[]): Record<string, T> =>
  Object.fromEntries(list.map((item, n) => [`${name}-${n}`, item]));

const samples = fc.tuple(environment, contexts).map(([{ flags, segments }, asking]) => ({
  file: { flags: byKey('flag', flags), segments: byKey('segment', segments) },
  flags: FLAGS,
  contexts: asking,
}));

const LAUNCHDARKLY: Oracle<{ flags: Record<string, object>; segments: Record<string, object> }> = {
  service: 'LaunchDarkly',
  read: importFromLaunchDarkly,
  start: async (file) => {
    const client = await launchDarklyWith(file);
    return {
      valueOf: async (flag, { key: contextKey, attributes }) => {
        const value = await client.variation(flag.key, { kind: 'user', key: contextKey, ...attributes }, 'no value');
        if (value === 'no value') return undefined;
        return flag.variationType === 'string' ? value : JSON.stringify(value);
      },
      close: () => client.close(),
    };
  },
};

test('gives each user LaunchDarkly’s value, or a difference names the user', async () => {
  const tally = await holdAgainst(LAUNCHDARKLY, samples, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.5);
  expect((tally.equal - tally.equalAnnounced) / tally.evaluations).toBeGreaterThan(0.3);
}, 120_000);

/** A clause that is null ends the process of its SDK. */
const withoutNull = ODD_MEMBERS.filter((value) => value !== null);

/** So does a clause about segments that are no list. */
function endsProcess(file: object): boolean {
  let ends = false;
  JSON.stringify(file, (_, value) => {
    ends ||= value?.op === 'segmentMatch' && !Array.isArray(value.values);
    return value;
  });
  return ends;
}

test('gives LaunchDarkly’s value, or is left out, with a member of any type', async () => {
  const odd = withOddMembers(samples, withoutNull).filter(({ file }) => !endsProcess(file));
  const tally = await holdAgainst(ofOddFiles(LAUNCHDARKLY), odd, RUNS);
  expect(tally.imported / tally.flags).toBeGreaterThan(0.3);
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
