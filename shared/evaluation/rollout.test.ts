import { describe, expect, test } from '@jest/globals';
import type { Rollout } from '../flags/rule.ts';
import type { User } from '../flags/user.ts';
import { aFlag, aRollout, aUser, share } from '../testing/builders.ts';
import { Outcome } from './outcome.ts';
import { compileRollout } from './rollout.ts';

const FALLTHROUGH = { reason: 'default', cause: 'fallthrough' } as const;

/** The id of the variation a rollout of the flag `price-test` serves to a user. */
function served(rollout: Rollout, user: User): string | null {
  const flag = aFlag({ key: 'price-test', variations: ['a', 'b', 'c'].map((id) => ({ id, value: `value ${id}` })) });
  return compileRollout(rollout, FALLTHROUGH, flag).outcomeFor(user).variationId;
}

/** Buckets of `price-test` followed by the text: u1 0.1378, u2 0.5730, u4 0.9851, us 0.7420, de 0.2134, '' 0.2888. */
describe('compileRollout', () => {
  const thirds = aRollout(share('a', 0, 0.25), share('b', 0.25, 0.75), share('c', 0.75, 1));

  test.each([
    ['u1', 'a'],
    ['u2', 'b'],
    ['u4', 'c'],
  ])('serves %s the share that takes its bucket: %s', (keyId, id) => {
    expect(served(thirds, aUser(keyId))).toBe(id);
  });

  test.each<[string, string | null, User, string]>([
    ['keyId when null', null, aUser('u1', { country: 'us' }), 'a'],
    ['keyId when empty', '', aUser('u1'), 'a'],
    ['keyId when blank', ' \t', aUser('u1'), 'a'],
    ['keyId when .NET takes it for blank', '\u0085', aUser('u1', { '\u0085': 'us' }), 'a'],
    ['an attribute that only JavaScript takes for blank', '\ufeff', aUser('u1', { '\ufeff': 'us' }), 'b'],
    ['keyId by name', 'keyId', aUser('u1'), 'a'],
    ['the name', 'name', aUser('u1', {}, 'u2'), 'b'],
    ['the empty text for a name that was not sent', 'name', aUser('u1'), 'b'],
    ['an attribute', 'country', aUser('u1', { country: 'us' }), 'b'],
    ['another value of it', 'country', aUser('u1', { country: 'de' }), 'a'],
    ['the empty text for a missing attribute', 'country', aUser('u1'), 'b'],
  ])('dispatches by %s', (_, dispatchKey, user, id) => {
    expect(served({ ...thirds, dispatchKey }, user)).toBe(id);
  });

  test.each<[string, Rollout, string | null]>([
    ['everybody gets a full share', aRollout(share('b')), 'b'],
    ['the first of overlapping shares wins', aRollout(share('c', 0, 0.5), share('a', 0, 1)), 'c'],
    ['an empty share is passed over', aRollout(share('a', 0, 0), share('b', 0, 1)), 'b'],
    ['a share of one point takes no other bucket', aRollout(share('a', 0.1, 0.1), share('b', 0.1, 1)), 'b'],
    ['it takes its own bucket', aRollout(share('a', 0.13778295135125518, 0.13778295135125518), share('b')), 'a'],
    ['nobody’s bucket: an empty variation', aRollout(share('a', 0.5, 1)), ''],
    ['no shares: an empty variation', aRollout(), ''],
    ['an unknown variation: none', aRollout(share('gone')), null],
  ])('%s', (_, rollout, id) => {
    expect(served(rollout, aUser('u1'))).toBe(id);
  });

  test.each<[string, Rollout, boolean]>([
    ['everybody', aRollout(share('b')), true],
    ['nobody', aRollout(), true],
    ['all that is behind one for everybody', aRollout(share('b'), share('a', 0.5, 0.6)), true],
    ['some', aRollout(share('b', 0, 0.5)), false],
    ['all that is behind one for some', aRollout(share('a', 0.5, 0.6), share('b')), false],
  ])('needs no user where its shares take %s: %p', (_, rollout, isOutcome) => {
    const flag = aFlag({ exptIncludeAllTargets: false });
    expect(compileRollout(rollout, FALLTHROUGH, flag) instanceof Outcome).toBe(isOutcome);
    const sampled = { ...aRollout(share('b', 0, 1, 0.5)), includedInExpt: true };
    expect(compileRollout(sampled, FALLTHROUGH, flag)).not.toBeInstanceOf(Outcome);
  });
});
