import { describe, expect, test } from '@jest/globals';
import { array, assert, integer, nat, property, record } from 'fast-check';
import { manualClock } from '../../../dev/emulator/testing/manualClock.ts';
import { createTokenBucket } from '../../../dev/emulator/throttling/tokenBucket.ts';
import { SharedRate } from './sharedRate.ts';

const limits = record({ perSecond: integer({ min: 1, max: 2_000 }), burst: integer({ min: 1, max: 500 }) });

/** Asks once each millisecond-step for ten seconds. @returns the share that passed */
function passing(rate: SharedRate, perSecond: number): number {
  let passed = 0;
  const asked = perSecond * 10;
  for (let n = 0; n < asked; n++) if (rate.take((n * 10_000) / asked)) passed++;
  return passed / asked;
}

describe('a shared rate', () => {
  test('without a background passes what the emulator’s bucket passes', () => {
    assert(
      property(limits, array(nat(50), { maxLength: 300 }), (limit, pauses) => {
        const clock = manualClock();
        const start = clock.now();
        const take = createTokenBucket(limit, clock);
        const rate = new SharedRate(limit);
        for (const ms of pauses) {
          clock.advance(ms);
          expect(rate.take(clock.now() - start)).toBe(take());
        }
      }),
    );
  });

  test('passes everything while the background leaves room', () => {
    const rate = new SharedRate({ perSecond: 100, burst: 10 });
    rate.setBackground(0, 50);
    expect(passing(rate, 40)).toBe(1);
    expect(rate.background.refused).toBe(0);
    expect(rate.background.asked).toBeCloseTo(500, -2);
  });

  test('refuses both in proportion to what they ask for, where that is too much', () => {
    const rate = new SharedRate({ perSecond: 100, burst: 10 });
    rate.setBackground(0, 150);
    expect(passing(rate, 50)).toBeCloseTo(0.5, 1);
    expect(rate.background.refused / rate.background.asked).toBeCloseTo(0.5, 1);
  });
});
