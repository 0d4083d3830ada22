import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aFlag, aRollout, aRule, share } from '../../testing/builders.ts';
import type { Flag } from '../flag.ts';
import type { RolloutVariation } from '../rule.ts';
import { withGrownShare } from './growShare.ts';

const flagWith = (...variations: RolloutVariation[]) => aFlag({ fallthrough: aRollout(...variations) });
const ranges = ({ fallthrough }: Flag) => fallthrough.variations.map(({ id, rollout }) => [id, ...rollout]);

describe('a growing share', () => {
  test('takes from the only other variation, and stays in one piece', () => {
    const ten = withGrownShare(flagWith(share('off')), 'on', 0.1);
    expect(ranges(ten)).toEqual([
      ['on', 0.9, 1],
      ['off', 0, 0.9],
    ]);
    const half = withGrownShare(ten, 'on', 0.5);
    expect(ranges(half)).toEqual([
      ['on', 0.5, 1],
      ['off', 0, 0.5],
    ]);
    expect(withGrownShare(half, 'on', 1).fallthrough.variations).toEqual([share('on')]);
    expect(ranges(withGrownShare(flagWith(share('on', 0, 0.1), share('off', 0.1, 1)), 'on', 0.2))).toEqual([
      ['on', 0, 0.2],
      ['off', 0.2, 1],
    ]);
  });

  test('takes from several variations in proportion', () => {
    const flag = flagWith(share('a', 0, 0.5), share('b', 0.5, 0.8), share('c', 0.8, 1));
    expect(ranges(withGrownShare(flag, 'on', 0.1))).toEqual([
      ['on', 0.45, 0.53],
      ['on', 0.98, 1],
      ['a', 0, 0.45],
      ['b', 0.53, 0.8],
      ['c', 0.8, 0.98],
    ]);
  });

  test('keeps what else the rule says', () => {
    const flag = flagWith(share('on', 0, 0.1, 0.05), share('off', 0.1, 1));
    const by = { ...flag, fallthrough: { ...flag.fallthrough, dispatchKey: 'country' } };
    expect(withGrownShare(by, 'on', 0.2).fallthrough).toMatchObject({
      dispatchKey: 'country',
      variations: [{ exptRollout: 0.05 }, { exptRollout: 1 }],
    });
  });

  test('grows in one rule, and leaves the others', () => {
    const [first, second] = [aRule([], { id: '1', name: 'Norway' }), aRule([], { id: '2' })];
    const flag = aFlag({ rules: [first, second] });
    const variations = [share('on', 0.9, 1), share('off', 0, 0.9)];
    expect(withGrownShare(flag, 'on', 0.1, first)).toEqual({ ...flag, rules: [{ ...first, variations }, second] });
    const gappy = { ...first, variations: [share('on', 0, 0.5)] };
    expect(() => withGrownShare({ ...flag, rules: [gappy] }, 'on', 0.9, gappy)).toThrow(
      'the shares in rule "Norway" of flag "a-flag" have gaps or overlaps; first set them with: rule edit a-flag <rule> <shares...>',
    );
  });

  test('does not become smaller, and needs shares that cover all users', () => {
    expect(() => withGrownShare(flagWith(share('on', 0, 0.3), share('off', 0.3, 1)), 'on', 0.2)).toThrow(
      '20 % is too small: 30 % of the users have On already',
    );
    for (const gappy of [[share('on', 0, 0.5)], [share('on', 0, 0.6), share('off', 0.5, 1)], []]) {
      expect(() => withGrownShare(flagWith(...gappy), 'on', 0.9)).toThrow('have gaps or overlaps');
    }
  });

  test('has the wanted size, also where others are many', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 6 });
    fc.assert(
      fc.property(cuts, fc.integer({ min: 1, max: 10_000 }), (inner, hundredths) => {
        const bounds = [0, ...inner.toSorted((a, b) => a - b), 100];
        const others = bounds.slice(1).map((upper, n) => share(`v${n}`, (bounds[n] ?? 0) / 100, upper / 100));
        const { variations } = withGrownShare(flagWith(...others), 'on', hundredths / 10_000).fallthrough;
        const width = (id: string) =>
          variations
            .filter((each) => each.id === id)
            .reduce((sum, { rollout: [lower, upper] }) => sum + upper - lower, 0);
        expect(width('on')).toBeCloseTo(hundredths / 10_000, 4);
        for (const { id, rollout } of others) {
          expect(width(id)).toBeCloseTo((rollout[1] - rollout[0]) * (1 - hundredths / 10_000), 4);
        }
      }),
    );
  });

  test('leaves shares without gaps or overlaps after each step, however narrow they are', () => {
    const bound = fc.oneof(
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 999_950, max: 1e6 }),
      fc.integer({ min: 0, max: 50 }),
    );
    const steps = fc.uniqueArray(
      fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 9_900, max: 10_000 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(bound, { maxLength: 8 }),
        fc.infiniteStream(fc.constantFrom('on', 'a', 'b', 'c')),
        steps,
        (inner, ids, wanted) => {
          const bounds = [0, ...inner.map((each) => each / 1e6).toSorted((a, b) => a - b), 1];
          let flag = flagWith(...bounds.slice(1).map((upper, n) => share(ids.next().value ?? 'a', bounds[n], upper)));
          const width = flag.fallthrough.variations
            .filter(({ id }) => id === 'on')
            .reduce((sum, { rollout: [lower, upper] }) => sum + upper - lower, 0);
          for (const hundredths of wanted.toSorted((a, b) => a - b)) {
            if (hundredths / 10_000 < width) continue;
            flag = withGrownShare(flag, 'on', hundredths / 10_000);
            const sorted = flag.fallthrough.variations.map(({ rollout }) => rollout).toSorted((a, b) => a[0] - b[0]);
            expect(sorted.flat()).toEqual([0, ...sorted.slice(1).flatMap(([lower]) => [lower, lower]), 1]);
          }
        },
      ),
    );
  });
});
