import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { aCondition, aFlag, aRollout, aRule, aUser, share } from '../testing/builders.ts';
import { evaluateFlag } from '../testing/evaluate.ts';

/** `price-test` with 40 % on and 60 % off, in an experiment; not every target is included. */
function priceTest(exptOn: number, exptOff: number, fields: Partial<Flag> = {}): Flag {
  return aFlag({
    key: 'price-test',
    exptIncludeAllTargets: false,
    fallthrough: { ...aRollout(share('on', 0, 0.4, exptOn), share('off', 0.4, 1, exptOff)), includedInExpt: true },
    ...fields,
  });
}

const result = (flag: Flag, keyId: string, attributes: Record<string, string> = {}) => {
  const { variationId, sendToExperiment } = evaluateFlag(flag, aUser(keyId, attributes));
  return [variationId, sendToExperiment];
};

/**
 * Buckets of the experiment key `exptprice-test<keyId>`, computed independently with Python's hashlib:
 * u1 0.31823, u2 0.75980, u3 0.58388, u4 0.13554, u5 0.39953, u6 0.38283, u7 0.12674, u8 0.46283, u9 0.99571,
 * u10 0.90444, u11 0.34000, u12 0.19320. A share of width w with sampling rate r includes those up to r / w.
 */
describe('sampling of an experiment', () => {
  test.each([
    ['u1', 'on', true],
    ['u6', 'on', false],
    ['u8', 'on', false],
    ['u2', 'off', false],
    ['u3', 'off', false],
    ['u4', 'off', true],
    ['u5', 'off', true],
    ['u7', 'off', true],
    ['u9', 'off', false],
    ['u10', 'off', false],
    ['u11', 'off', true],
    ['u12', 'off', true],
  ])('15 %% of 40 %% and 30 %% of 60 %%: %s gets %s, sent: %p', (keyId, id, sent) => {
    expect(result(priceTest(0.15, 0.3), keyId)).toEqual([id, sent]);
  });

  test.each<[string, number, string, boolean]>([
    ['nothing', 0, 'u1', false],
    ['as much as the share', 0.4, 'u8', true],
    ['more than the share', 1, 'u8', true],
    ['just below the bucket', 0.4 * 0.318, 'u1', false],
    ['just above the bucket', 0.4 * 0.319, 'u1', true],
  ])('a sample of %s', (_, exptRollout, keyId, sent) => {
    expect(result(priceTest(exptRollout, 0), keyId)).toEqual(['on', sent]);
  });

  test('a share without width sends nobody', () => {
    const point = aRollout(share('on', 0.13778295135125518, 0.13778295135125518));
    expect(result(priceTest(1, 1, { fallthrough: { ...point, includedInExpt: true } }), 'u1')).toEqual(['on', false]);
  });

  test('the dispatch attribute is part of the key: us 0.11285, de 0.27529', () => {
    const fallthrough = { ...aRollout(share('on', 0, 1, 0.2)), includedInExpt: true, dispatchKey: 'country' };
    const flag = priceTest(0, 0, { fallthrough });
    expect(result(flag, 'u1', { country: 'us' })).toEqual(['on', true]);
    expect(result(flag, 'u1', { country: 'de' })).toEqual(['on', false]);
  });
});

describe('the decision to send an evaluation to an experiment', () => {
  const included = { ...aRollout(share('on')), includedInExpt: true };
  const gap = { ...aRollout(share('on', 0.9, 0.95)), includedInExpt: true };
  const rule = (includedInExpt: boolean) => aRule([aCondition('keyId', 'Equal', 'u1')], { includedInExpt });
  const targetUsers = [{ keyIds: ['u1'], variationId: 'off' }];

  test.each<[string, Partial<Flag>, [string | null, boolean]]>([
    ['a rollout left out of the experiment', { fallthrough: aRollout(share('on')) }, ['on', false]],
    ['a rollout in it', { fallthrough: included }, ['on', true]],
    ['any rollout when all targets are included', { exptIncludeAllTargets: true }, ['on', true]],
    ['a rule left out, whatever the fallthrough says', { rules: [rule(false)], fallthrough: included }, ['off', false]],
    ['a rule in it, whatever the fallthrough says', { rules: [rule(true)] }, ['off', true]],
    ['a target', { targetUsers, fallthrough: included }, ['off', false]],
    ['a target when all are included', { targetUsers, exptIncludeAllTargets: true }, ['off', true]],
    ['nobody’s bucket', { fallthrough: gap }, ['', false]],
    ['nobody’s bucket when all are included', { fallthrough: gap, exptIncludeAllTargets: true }, ['', true]],
    ['a flag that is off', { isEnabled: false, exptIncludeAllTargets: true }, ['off', false]],
    ['an archived flag', { isArchived: true, exptIncludeAllTargets: true }, [null, false]],
  ])('is made for %s', (_, fields, expected) => {
    expect(result(priceTest(0, 0, { fallthrough: aRollout(share('on')), ...fields }), 'u1')).toEqual(expected);
  });
});
