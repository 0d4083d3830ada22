import { describe, expect, test } from '@jest/globals';
import { assert, integer, property, record } from 'fast-check';
import { smallPopulation } from '../testing/population.ts';
import type { DeliverySettings } from './deliverySettings.ts';
import { push } from './push.ts';

const settings: DeliverySettings = {
  calls: 4,
  groups: 4,
  postsPerSecond: 400,
  postsPerChunk: 200,
  underWay: 64,
  timeoutMs: 30_000,
  visibilityMs: 180_000,
  retryPausesMs: [100, 400, 1_600],
};

describe('a push', () => {
  test('reaches every connection of the environments that are changed, and posts to no other', () => {
    assert(
      property(
        record({
          connections: integer({ min: 1, max: 2_000 }),
          environments: integer({ min: 1, max: 20 }),
          requests: integer({ min: 300, max: 2_000 }),
          concurrency: integer({ min: 2, max: 20 }),
          seed: integer({ min: 1, max: 1_000 }),
        }),
        ({ requests, concurrency, ...more }) => {
          const outcome = push(smallPopulation({ requests, concurrency }, more), settings);
          expect(outcome.connections).toBe(Math.ceil(more.connections / more.environments));
          expect(outcome.reached.count).toBe(outcome.connections);
          expect(outcome.isDone).toBe(true);
          const refused = outcome.limits.find(([limit]) => limit.includes('requests a second'))?.[1] ?? 0;
          // Each is posted once, and once more where it was refused.
          expect(outcome.usage.posts).toBe(outcome.connections + refused);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('takes as long as its pace has it, in several calls where one has no time for a shard', () => {
    const { reached, usage, connections } = push(smallPopulation({ requests: 10_000 }, { connections: 20_000 }), {
      ...settings,
      postsPerSecond: 200,
    });
    expect(reached.count).toBe(connections);
    expect(reached.all).toBeGreaterThan(90_000);
    expect(reached.all).toBeLessThan(110_000);
    expect(usage.calls.deliver.count).toBeGreaterThan(16);
  });

  test('a larger pace or quota takes no longer', () => {
    const all = (postsPerSecond: number, requests: number) =>
      push(smallPopulation({ requests }, { connections: 3_000 }), { ...settings, postsPerSecond }).reached.all;
    const paces = [100, 200, 400, 800].map((pace) => all(pace, 10_000));
    expect(paces).toEqual(paces.toSorted((a, b) => b - a));
    const quotas = [500, 700, 1_000, 2_000].map((requests) => all(400, requests));
    expect(quotas).toEqual(quotas.toSorted((a, b) => b - a));
  });

  test('what Lambda throttles is handed in again when its visibility ends', () => {
    const { reached, limits } = push(smallPopulation({ concurrency: 2, requests: 10_000 }), {
      ...settings,
      calls: 16,
      groups: 16,
    });
    expect(reached.count).toBe(200);
    expect(reached.all).toBeGreaterThan(settings.visibilityMs);
    expect(limits.map(([limit]) => limit)).toContain('Lambda: concurrent executions');
  });

  test('pings take what deliveries lack', () => {
    const crowded = push(smallPopulation({ requests: 400 }, { connections: 6_000, environments: 6 }), settings);
    expect(crowded.pings.refused).toBeGreaterThan(0);
    expect(crowded.reached.count).toBe(1_000);
  });
});
