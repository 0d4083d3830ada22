import type { RawDocuments } from '../../../shared/testing/fixtures.ts';
import { Random } from '../../../shared/testing/random.ts';
import { COUNTRIES, EMAIL_DOMAINS, PLANS, VERSIONS } from './population.ts';

/** How large a generated environment is. */
export interface EnvironmentSize {
  readonly flags: number;
  readonly rulesPerFlag: number;
  readonly segments: number;
  readonly usersPerSegment: number;
}

const ENV_ID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const EPOCH = Date.UTC(2024, 0, 1);

/** An environment such as a product of some years has; always the same for the same size. */
export function generateDocuments(size: EnvironmentSize): RawDocuments {
  const random = new Random(2);
  const segments = Array.from({ length: size.segments }, (_, n) => generateSegment(random, n, size.usersPerSegment));
  const segmentIds = segments.map(({ id }) => id);
  const flags = Array.from({ length: size.flags }, (_, n) =>
    generateFlag(random, { n, rules: size.rulesPerFlag, segmentIds, updatedAt: EPOCH + (size.segments + n) * 1000 }),
  );
  return { flags, segments };
}

function generateSegment(random: Random, n: number, users: number) {
  const member = () => `user-${random.below(10 * users)}`;
  return {
    id: random.guid(),
    envId: ENV_ID,
    name: `Segment ${n}`,
    description: '',
    included: Array.from({ length: Math.ceil(users * 0.95) }, member),
    excluded: Array.from({ length: Math.floor(users * 0.05) }, member),
    rules: [{ id: random.guid(), name: 'Rule 1', conditions: [planCondition(random), numberCondition(random)] }],
    updatedAt: new Date(EPOCH + n * 1000).toISOString(),
    isArchived: false,
  };
}

interface FlagPlan {
  readonly n: number;
  readonly rules: number;
  readonly segmentIds: readonly string[];
  readonly updatedAt: number;
}

function generateFlag(random: Random, { n, rules, segmentIds, updatedAt }: FlagPlan) {
  const variations = generateVariations(random);
  const ids = variations.map(({ id }) => id);
  return {
    id: random.guid(),
    envId: ENV_ID,
    name: `Flag ${n}`,
    description: 'Generated for a benchmark',
    key: `flag-${n}`,
    variationType: variations.length === 2 ? 'boolean' : 'string',
    variations,
    targetUsers: random.chance(0.1) ? [{ keyIds: targets(random), variationId: random.pick(ids) }] : [],
    rules: Array.from({ length: rules }, (_, index) => ({
      id: random.guid(),
      name: `Rule ${index + 1}`,
      conditions: generateConditions(random, segmentIds),
      ...generateRollout(random, ids),
    })),
    isEnabled: random.chance(0.95),
    disabledVariationId: ids.at(-1),
    fallthrough: generateRollout(random, ids),
    exptIncludeAllTargets: random.chance(0.8),
    tags: random.chance(0.2) ? ['checkout'] : [],
    updatedAt: new Date(updatedAt).toISOString(),
    isArchived: false,
  };
}

function generateVariations(random: Random) {
  const values = random.chance(0.7) ? ['true', 'false'] : ['control', 'variant-a', 'variant-b'];
  return values.map((value) => ({ id: random.guid(), name: value, value }));
}

const targets = (random: Random) => Array.from({ length: 10 }, () => `user-${random.below(2000)}`);

/** Everybody gets one variation, or, one time in four, a percentage gets another. */
function generateRollout(random: Random, ids: readonly string[]) {
  const [first, second] = random.sample(ids, 2);
  const cut = random.chance(1 / 4) ? (5 + random.below(90)) / 100 : 1;
  const shares = [{ id: first, rollout: [0, cut], exptRollout: 1 }];
  if (cut < 1) shares.push({ id: second, rollout: [cut, 1], exptRollout: 0.5 });
  return { dispatchKey: null, includedInExpt: random.chance(0.2), variations: shares };
}

function generateConditions(random: Random, segmentIds: readonly string[]) {
  const kinds = [listCondition, planCondition, numberCondition, emailCondition, versionCondition, memberCondition];
  const conditions = random.sample(kinds, 1 + random.below(2)).map((condition) => condition(random));
  if (segmentIds.length === 0 || !random.chance(0.15)) return conditions;
  const property = random.chance(0.8) ? 'User is in segment' : 'User is not in segment';
  return [{ property, op: null, value: JSON.stringify([random.pick(segmentIds)]) }, ...conditions.slice(1)];
}

const listCondition = (random: Random) => ({
  property: 'country',
  op: random.chance(0.8) ? 'IsOneOf' : 'NotOneOf',
  value: JSON.stringify(random.sample(COUNTRIES, 2 + random.below(4))),
});
const planCondition = (random: Random) => ({
  property: 'plan',
  op: random.chance(0.8) ? 'Equal' : 'NotEqual',
  value: random.pick(PLANS),
});
const numberCondition = (random: Random) => ({
  property: random.pick(['age', 'logins']),
  op: random.pick(['BiggerEqualThan', 'LessThan']),
  value: String(18 + random.below(50)),
});
const emailCondition = (random: Random) => ({
  property: 'email',
  op: random.pick(['EndsWith', 'Contains']),
  value: random.pick(EMAIL_DOMAINS),
});
const versionCondition = (random: Random) => ({
  property: 'version',
  op: 'StartsWith',
  value: random.pick(VERSIONS).slice(0, 3),
});
const memberCondition = (random: Random) => ({
  property: 'isMember',
  op: random.pick(['IsTrue', 'IsFalse']),
  value: 'IsTrue',
});
