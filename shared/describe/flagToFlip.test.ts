import { expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { aFlag, aRule, aSegment } from '../testing/builders.ts';
import { flagToFlip } from './flagToFlip.ts';

/** A flag whose value for the user of the snippets does not change. */
const same = (key: string, fields: Partial<Flag> = {}) => aFlag({ key, disabledVariationId: 'on', ...fields });
const keyOf = (...flags: Flag[]) => flagToFlip(flags, [])?.key;

test('is the first boolean flag whose value changes for the user of the snippets', () => {
  expect(keyOf(same('a'), aFlag({ key: 'b', variationType: 'string' }), aFlag({ key: 'd' }), aFlag({ key: 'c' }))).toBe(
    'c',
  );
});

test('is the same whether the flag is on or off', () => {
  expect(keyOf(same('a'), aFlag({ key: 'b', isEnabled: false }))).toBe('b');
});

test('is never an archived flag', () => {
  expect(keyOf(aFlag({ key: 'a', isArchived: true }), same('b'))).toBe('b');
  expect(keyOf(aFlag({ isArchived: true }))).toBeUndefined();
});

test('counts rules and targets of the user', () => {
  const targetUsers = [{ variationId: 'off', keyIds: ['u1'] }];
  const inBeta = { id: 'c', property: 'User is in segment', op: null, value: '["beta"]' };
  const betaOnly = aFlag({ key: 'b', rules: [aRule([inBeta])] });
  expect(keyOf(aFlag({ key: 'a', targetUsers }), betaOnly)).toBe('b');
  const beta = aSegment({ id: 'beta', included: ['u1'] });
  expect(
    flagToFlip([betaOnly, aFlag({ key: 'c', targetUsers: [{ variationId: 'on', keyIds: ['u1', 'u2'] }] })], [beta])
      ?.key,
  ).toBe('c');
});

test('is the flag with the fewest rules and targets of several', () => {
  expect(keyOf(aFlag({ key: 'a', rules: [aRule([])] }), aFlag({ key: 'b' }))).toBe('b');
});

test('is the first flag if no value changes, and none without flags', () => {
  expect(keyOf(same('b'), same('a'))).toBe('a');
  expect(keyOf()).toBeUndefined();
});
