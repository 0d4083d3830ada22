import { describe, expect, test } from '@jest/globals';
import { manualClock } from '../testing/manualClock.ts';
import { createTokenBucket } from './tokenBucket.ts';

const taken = (take: () => boolean, attempts: number) => Array.from({ length: attempts }, take).filter(Boolean).length;

describe('a token bucket', () => {
  test('gives its burst at once, and then its rate', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 10, burst: 5 }, clock);
    expect(taken(take, 20)).toBe(5);
    clock.advance(99);
    expect(take()).toBe(false);
    clock.advance(1);
    expect(taken(take, 20)).toBe(1);
    clock.advance(300);
    expect(taken(take, 20)).toBe(3);
  });

  test('saves up no more than its burst', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 10, burst: 5 }, clock);
    clock.advance(60_000);
    expect(taken(take, 20)).toBe(5);
  });

  test('gives a rate above its burst to whoever asks evenly', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 10_000, burst: 100 }, clock);
    let passed = 0;
    for (let ms = 0; ms < 1_000; ms += 1, clock.advance(1)) passed += taken(take, 10);
    expect(passed).toBe(10_000);
    expect(taken(take, 1_000)).toBe(100);
  });

  test('a bucket without tokens refuses all requests', () => {
    const clock = manualClock();
    const take = createTokenBucket({ perSecond: 0, burst: 0 }, clock);
    clock.advance(1_000);
    expect(take()).toBe(false);
  });
});
