import { expect, test } from '@jest/globals';
import { aCondition, aFlag, aRollout, aRule, share } from '../testing/builders.ts';
import type { Flag } from './flag.ts';
import { isFullyRolledOut, uncountedText } from './stale.ts';

test('a flag is fully rolled out if it serves one variation to all users', () => {
  const onlyOn = aRollout(share('on'));
  const rule = (id: string) => aRule([aCondition('a', 'Equal', 'b')], aRollout(share(id)));
  const isOut = (fields: Partial<Flag>) => isFullyRolledOut(aFlag({ isEnabled: true, fallthrough: onlyOn, ...fields }));
  expect(isOut({})).toBe(true);
  expect(isOut({ rules: [rule('on')], targetUsers: [{ keyIds: ['u'], variationId: 'on' }] })).toBe(true);
  expect(isOut({ targetUsers: [{ keyIds: [], variationId: 'off' }] })).toBe(true);
  const noShareOfOff = aRollout(share('on'), share('off', 1, 1));
  expect(isOut({ fallthrough: noShareOfOff, rules: [aRule([], noShareOfOff)] })).toBe(true);
  expect(isOut({ rules: [rule('off')] })).toBe(false);
  expect(isOut({ targetUsers: [{ keyIds: ['u'], variationId: 'off' }] })).toBe(false);
  expect(isOut({ isEnabled: false })).toBe(false);
  expect(isOut({ fallthrough: aRollout(share('on', 0, 0.5), share('off', 0.5, 1)) })).toBe(false);
  expect(isOut({ fallthrough: aRollout(), rules: [rule('on')] })).toBe(false);
});

test('a sentence names the functions that evaluate flags without counts, at most five', () => {
  expect(uncountedText([])).toBe(
    'Evaluations in functions with flagwire-provider are counted only if these report usage counts.',
  );
  expect(uncountedText(['Shop/Cart'])).toBe(
    'Evaluations in Shop/Cart are not counted: they use flagwire-provider without usage counts. So no flag is stale as "never evaluated" or "one variation only".',
  );
  expect(uncountedText([...'ABCDEFG'])).toContain('Evaluations in A, B, C, D, E, 2 more are not counted');
});
