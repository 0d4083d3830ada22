import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Allowance, BURST_MS } from './allowance.ts';

test('an allowance is used at once or evenly', () => {
  const allowance = new Allowance(2);
  const taken = (now: number) => [1, 2, 3].filter(() => allowance.take(10, now)).length;
  expect([taken(5_000), allowance.isFull(5_000)]).toEqual([2, false]);
  expect(allowance.take(1, 5_499)).toBe(false);
  expect(allowance.take(1, 5_500)).toBe(true);
  expect([allowance.isFull(15_499), allowance.isFull(15_500)]).toEqual([false, true]);
  expect(taken(1_000_000)).toBe(2);
});

test('an allowance never allows more than its rate and one burst', () => {
  const step = fc.record({ waitMs: fc.nat(3_000), units: fc.nat(40) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(step), (perSecond, steps) => {
      const allowance = new Allowance(perSecond);
      let [now, used] = [0, 0];
      for (const { waitMs, units } of steps) {
        now += waitMs;
        if (allowance.take(units, now)) used += units;
        expect(used).toBeLessThanOrEqual((perSecond * (now + BURST_MS)) / 1_000 + 1e-6);
      }
    }),
  );
});
