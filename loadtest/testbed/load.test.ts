import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueBy, serve } from './load.ts';
import type { Population } from './population.ts';
import type { SdkSocket } from './sdkSocket.ts';

describe('the pace', () => {
  test('spaces events evenly, and reaches their number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 10_000 }), (rate, total) => {
        expect(dueBy(0, rate, total)).toBe(1);
        expect(dueBy((total / rate) * 1_000, rate, total)).toBe(total);
        const half = dueBy((total / rate) * 500, rate, total);
        expect(Math.abs(half - total / 2)).toBeLessThanOrEqual(1.5);
      }),
    );
  });
});

test('a refused client tries again under its key, and waits from its first attempt', async () => {
  const attempts: string[] = [];
  const population: Parameters<typeof serve>[0] = {
    onAnswered: () => {},
    onUnanswered: undefined as Population['onUnanswered'],
    connect(keyId = `client-${attempts.length}`) {
      const isRefused = keyId === 'client-1' && !attempts.includes(keyId);
      attempts.push(keyId);
      const socket = { keyId, beganAt: performance.now() } as SdkSocket;
      setTimeout(() => (isRefused ? this.onUnanswered?.(socket) : this.onAnswered(socket, performance.now())));
    },
  };
  const { waitsMs, refused, lastAfterMs } = await serve(population, { rate: 1_000, count: 3 });
  expect([attempts, refused]).toEqual([['client-0', 'client-1', 'client-2', 'client-1'], 1]);
  // FeatBit's JavaScript SDK tries again after a second.
  const longest = Math.max(...waitsMs);
  expect([waitsMs.length, longest >= 999, lastAfterMs >= longest]).toEqual([3, true, true]);
});
