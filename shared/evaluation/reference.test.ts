import { describe, expect, test } from '@jest/globals';
import { parseUser, type User } from '../flags/user.ts';
import { aUser } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { benchmarkDocuments, clientFullSyncs, parseDocuments, sdkFixtureDocuments } from '../testing/fixtures.ts';
import type { Snapshot } from './snapshot.ts';

function snapshotOf(raw: ReturnType<typeof benchmarkDocuments>): Snapshot {
  const { flags, segments } = parseDocuments(raw);
  return compileEnvironment(flags, { segments });
}

describe('FeatBit’s benchmark data set', () => {
  const snapshot = () => snapshotOf(benchmarkDocuments());

  test('compiles without a complaint', () => {
    expect(snapshot().invalidConditions).toEqual([]);
  });

  test.each(clientFullSyncs())('the whole reply for $user.keyId', ({ user, response }) => {
    const parsed = parseUser(user) as User;
    const fragments = snapshot().flags.map((flag) => JSON.parse(flag.evaluate(parsed).clientJson));
    expect(fragments).toEqual(response.data.featureFlags);
  });
});

/** The cases of the Java, Python and Go SDKs. */
describe('the data of FeatBit’s SDK tests', () => {
  const valueFor = (key: string, user: User) =>
    snapshotOf(sdkFixtureDocuments())
      .flags.find((flag) => flag.document.key === key)
      ?.evaluate(user).value;

  test.each<[string, string, User]>([
    ['a target', 'teamB', aUser('test-target-user')],
    ['IsTrue', 'teamC', aUser('u1', { graduated: 'true' })],
    ['Equal', 'teamD', aUser('u1', { country: 'CHN' })],
    ['BiggerEqualThan and LessEqualThan', 'teamE', aUser('u1', { salary: '2500' })],
    ['Contains', 'teamF', aUser('u1', { email: 'someone@gmail.com' })],
    ['IsOneOf', 'teamG', aUser('u1', { major: 'CS' })],
    ['StartsWith and EndsWith', 'teamH', aUser('group-admin-user', {}, 'group-admin-user')],
    ['MatchRegex', 'teamI', aUser('u1', { phone: '18555358000' })],
    ['the fallthrough', 'teamA', aUser('u1')],
  ])('ff-evaluation-test by %s: %s', (_, value, user) => {
    expect(valueFor('ff-evaluation-test', user)).toBe(value);
  });

  test('ff-test-off is off', () => {
    expect(valueFor('ff-test-off', aUser('u1'))).toBe('false');
  });

  test.each<[User, string]>([
    [aUser('test-user-1'), 'teamA'],
    [aUser('test-user-2', { major: 'math' }), 'teamB'],
    [aUser('u1', { major: 'math' }), 'teamA'],
    [aUser('u1'), 'teamB'],
  ])('ff-test-seg for %j is %s', (user, value) => {
    expect(valueFor('ff-test-seg', user)).toBe(value);
  });
});
