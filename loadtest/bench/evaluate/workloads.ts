import type { Flag } from '../../../shared/flags/flag.ts';
import type { Rollout } from '../../../shared/flags/rule.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import { aCondition, aFlag, aRollout, aRule, aSegment, share } from '../../../shared/testing/builders.ts';
import { benchmarkDocuments, clientFullSyncs, parseDocuments } from '../../../shared/testing/fixtures.ts';
import { Random } from '../../../shared/testing/random.ts';

const COUNTRIES = ['us', 'cn', 'de', 'fr', 'gb', 'jp', 'br', 'in', 'es', 'it', 'ca', 'au'];
const PLANS = ['free', 'starter', 'pro', 'enterprise'];
const EMAIL_DOMAINS = ['example.com', 'example.org', 'corp.example', 'mail.example'];
const VERSIONS = ['1.8.0', '1.9.4', '2.0.0', '2.1.3', '2.2.0'];
const EPOCH = Date.UTC(2024, 0, 1);
const USERS = 1_000;

/** An environment and the users it is evaluated for, as the JSON texts that SDKs send. */
export interface Workload {
  readonly documents: { readonly flags: readonly Flag[]; readonly segments: readonly Segment[] };
  readonly users: readonly string[];
}

/** FeatBit's benchmark data set, with the users of its vectors and users as its load test sends them. */
export function benchmarkWorkload(): Workload {
  const known = clientFullSyncs().map(({ user }) => JSON.stringify(user));
  const others = Array.from({ length: USERS - known.length }, (_, n) => {
    const name = `k6-vu-${n + 1}`;
    return userJson(name, { email: `${name}@k6.com`, location: '127.0.0.1' });
  });
  return { documents: parseDocuments(benchmarkDocuments()), users: [...known, ...others] };
}

/** An environment such as a product of some years has, with three rules a flag; always the same for the same size. */
export function generatedWorkload(flagCount: number, segmentCount: number, usersPerSegment: number): Workload {
  const random = new Random(2);
  const segments = Array.from({ length: segmentCount }, (_, n) => generateSegment(random, n, usersPerSegment));
  const segmentIds = segments.map(({ id }) => id);
  const flags = Array.from({ length: flagCount }, (_, n) => generateFlag(random, n, segmentIds));
  const users = Array.from({ length: USERS }, (_, n) => generateUser(random, n));
  // Documents go through JSON, as they do on their way out of a table.
  return { documents: parseDocuments(JSON.parse(JSON.stringify({ flags, segments }))), users };
}

function generateSegment(random: Random, n: number, users: number): Segment {
  const member = () => `user-${random.below(10 * users)}`;
  return aSegment({
    id: random.guid(),
    included: Array.from({ length: Math.ceil(users * 0.95) }, member),
    excluded: Array.from({ length: Math.floor(users * 0.05) }, member),
    rules: [{ id: random.guid(), name: 'Rule 1', conditions: [aCondition('plan', 'Equal', random.pick(PLANS))] }],
    updatedAt: new Date(EPOCH + n * 1_000).toISOString(),
  });
}

function generateFlag(random: Random, n: number, segmentIds: readonly string[]): Flag {
  const values = random.chance(0.7) ? ['true', 'false'] : ['control', 'variant-a', 'variant-b'];
  const variations = values.map((value) => ({ id: random.guid(), name: value, value }));
  const ids = variations.map(({ id }) => id);
  const targeted = Array.from({ length: 10 }, () => `user-${random.below(2_000)}`);
  return aFlag({
    id: random.guid(),
    key: `flag-${n}`,
    variationType: values.length === 2 ? 'boolean' : 'string',
    variations,
    targetUsers: random.chance(0.1) ? [{ keyIds: targeted, variationId: random.pick(ids) }] : [],
    rules: Array.from({ length: 3 }, () => aRule(generateConditions(random, segmentIds), generateRollout(random, ids))),
    isEnabled: random.chance(0.95),
    disabledVariationId: ids.at(-1) ?? '',
    fallthrough: generateRollout(random, ids),
    exptIncludeAllTargets: random.chance(0.8),
    updatedAt: new Date(EPOCH + (segmentIds.length + n) * 1_000).toISOString(),
  });
}

/** Everybody gets one variation, or, one time in four, a percentage gets another. */
function generateRollout(random: Random, ids: readonly string[]): Rollout {
  const [first = '', second = ''] = random.sample(ids, 2);
  if (random.chance(3 / 4)) return aRollout(share(first));
  const cut = (5 + random.below(90)) / 100;
  return aRollout(share(first, 0, cut), share(second, cut, 1, 0.5));
}

function generateConditions(random: Random, segmentIds: readonly string[]) {
  const all = [
    aCondition('country', 'IsOneOf', JSON.stringify(random.sample(COUNTRIES, 2 + random.below(4)))),
    aCondition('plan', random.chance(0.8) ? 'Equal' : 'NotEqual', random.pick(PLANS)),
    aCondition(random.pick(['age', 'logins']), 'BiggerEqualThan', String(18 + random.below(50))),
    aCondition('email', random.pick(['EndsWith', 'Contains']), random.pick(EMAIL_DOMAINS)),
    aCondition('version', 'StartsWith', random.pick(VERSIONS).slice(0, 3)),
    aCondition('isMember', 'IsTrue', 'IsTrue'),
  ];
  const conditions = random.sample(all, 1 + random.below(2));
  if (!random.chance(0.15)) return conditions;
  const inSegment = aCondition('User is in segment', null, JSON.stringify([random.pick(segmentIds)]));
  return [inSegment, ...conditions.slice(1)];
}

function generateUser(random: Random, n: number): string {
  return userJson(`user-${n}`, {
    country: random.pick(COUNTRIES),
    plan: random.pick(PLANS),
    email: `user-${n}@${random.pick(EMAIL_DOMAINS)}`,
    age: String(16 + random.below(60)),
    version: random.pick(VERSIONS),
    isMember: String(random.chance(0.5)),
    logins: String(random.below(500)),
  });
}

function userJson(keyId: string, attributes: Readonly<Record<string, string>>): string {
  const customizedProperties = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  return JSON.stringify({ keyId, name: keyId, customizedProperties });
}
