import { describe, expect, test } from '@jest/globals';
import { assert, constantFrom, integer, property, record } from 'fast-check';
import { parseMix } from '../../scenarios/sdks.ts';
import { smallPopulation } from '../testing/population.ts';
import { storm, wave } from './storm.ts';

const cases = record({
  connections: integer({ min: 1, max: 400 }),
  environments: integer({ min: 1, max: 50 }),
  newConnections: integer({ min: 1, max: 100 }),
  requests: integer({ min: 5, max: 500 }),
  concurrency: integer({ min: 1, max: 50 }),
  sdks: constantFrom('js-client', 'go', 'dotnet', 'js-client=50,java=50').map(parseMix),
  seed: integer({ min: 1, max: 1_000 }),
});

describe('a storm', () => {
  test('ends once for every connection: answered, not answered, or still waiting', () => {
    assert(
      property(cases, ({ newConnections, requests, concurrency, ...more }) => {
        const population = smallPopulation({ newConnections, requests, concurrency }, more);
        const { outcome, openedAt } = storm(population, 5);
        const { reached, unreached, usage, refusedHandshakes } = outcome;
        expect(reached.count + unreached.unanswered + unreached.waiting).toBe(more.connections);
        const opened = openedAt.filter((at) => !Number.isNaN(at)).length;
        expect([usage.answers, usage.dataSyncs]).toEqual([reached.count, opened]);
        expect(usage.handshakes).toBe(opened + refusedHandshakes);
        if (outcome.isDone) expect(unreached.waiting).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('is the same for the same seed', () => {
    const population = smallPopulation({}, { sdks: parseMix('go') });
    const of = (seed: number) => storm({ ...population, seed }, 1).outcome.reached;
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  test('takes as long as the quota of new connections lets it, and says that this held it up', () => {
    const { outcome } = storm(smallPopulation({ newConnections: 20 }), 1);
    expect(outcome.reached.count).toBe(200);
    // All but the burst at the rate, and at most one back-off of a minute more.
    expect(outcome.reached.all).toBeGreaterThanOrEqual((1_000 * (200 - 20)) / 20);
    expect(outcome.reached.all).toBeLessThan((1_000 * (200 - 20)) / 20 + 60_000);
    expect(outcome.limits[0]?.[0]).toBe('API Gateway: new connections a second');
  });

  test('with a larger quota of new connections is over no later, but for one back-off', () => {
    assert(
      property(integer({ min: 5, max: 50 }), integer({ min: 1, max: 100 }), (few, seed) => {
        const all = (newConnections: number) =>
          storm(smallPopulation({ newConnections, requests: 10_000 }, { seed }), 2).outcome.reached.all;
        expect(all(2 * few)).toBeLessThanOrEqual(all(few) + 60_000);
      }),
      { numRuns: 40 },
    );
  });

  test('leaves data-syncs unanswered that API Gateway refuses', () => {
    const { outcome } = storm(smallPopulation({ newConnections: 1_000, requests: 20 }), 1);
    expect(outcome.unreached.unanswered).toBeGreaterThan(0);
    expect(outcome.reached.all).toBe(Number.POSITIVE_INFINITY);
    expect(outcome.limits.map(([limit]) => limit)).toContain('API Gateway: requests a second');
  });

  test('has handshakes refused that Lambda refuses', () => {
    const { outcome } = storm(smallPopulation({ newConnections: 1_000, requests: 10_000, concurrency: 2 }), 1);
    expect(outcome.refusedHandshakes).toBeGreaterThan(0);
    expect(outcome.limits[0]?.[0]).toMatch(/^Lambda: /);
  });
});

describe('a wave', () => {
  test('brings back everybody who was let in, as close together as they came', () => {
    const population = smallPopulation({ newConnections: 20 });
    const { openedAt } = storm(population, 1);
    const { outcome } = wave(population, openedAt);
    expect(outcome.reached.count).toBe(200);
    expect(outcome.usage.calls.disconnect.count).toBe(200);
    expect(outcome.waited.p50).toBeGreaterThanOrEqual(1_000);
    expect(outcome.waited.p50).toBeLessThan(outcome.reached.all);
  });

  test('of nobody is over at once', () => {
    const { outcome } = wave(smallPopulation(), new Float64Array(200).fill(Number.NaN));
    expect(outcome).toMatchObject({ connections: 0, isDone: true });
  });
});
