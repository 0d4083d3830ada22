import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { partitionArbitrary } from '../../testing/arbitraries/flag.ts';
import { aFlag, aRule, aUser, share } from '../../testing/builders.ts';
import { evaluateFlag } from '../../testing/evaluate.ts';
import { withGrownShare } from './growShare.ts';

const ids = ['a', 'b', 'c', 'd'];
const variations = ids.map((id) => ({ id, name: id, value: id }));

/** After a step to 99.92 % for `a`, the range of `c` is as narrow as the tolerance for rounding errors (seed 709127242). */
const nearlyAllToA = [
  share('b', 0, 0.02, 0),
  share('c', 0.02, 0.03, 0),
  share('a', 0.03, 0.22, 0),
  share('d', 0.22, 1, 0),
];

test('a growing share takes the variation from no user, and moves none between others', () => {
  const steps = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 6 });
  const users = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(
      partitionArbitrary(ids),
      fc.constantFrom(...ids),
      steps,
      users,
      fc.boolean(),
      (partition, grown, shares, keys, isRule) => {
        const rollout = { dispatchKey: null, includedInExpt: false, variations: partition };
        let flag = aFlag({ variations, ...(isRule ? { rules: [aRule([], rollout)] } : { fallthrough: rollout }) });
        const servedTo = () => keys.map((key) => evaluateFlag(flag, aUser(key)).value);
        const widthBefore = partition
          .filter(({ id }) => id === grown)
          .reduce((sum, { rollout: [lower, upper] }) => sum + upper - lower, 0);
        let before = servedTo();
        for (const hundredths of shares.toSorted((one, other) => one - other)) {
          if (hundredths / 10_000 < widthBefore) continue;
          flag = withGrownShare(flag, grown, hundredths / 10_000, flag.rules[0]);
          const after = servedTo();
          expect(after).toEqual(after.map((value, n) => (value === grown ? grown : before[n])));
          expect(before.filter((value, n) => value === grown && after[n] !== grown)).toEqual([]);
          before = after;
        }
        flag = withGrownShare(flag, grown, 1, flag.rules[0]);
        expect(new Set(servedTo())).toEqual(new Set([grown]));
      },
    ),
    { examples: [[nearlyAllToA, 'a', [9_992], ['u1'], false]] },
  );
});
