import { describe, expect, test } from '@jest/globals';
import { findBottlenecks } from '../measure/bottlenecks.ts';
import { aSlice, aWorker, someFacts } from '../testing/results.ts';
import { measureHealth } from './generatorHealth.ts';

const verdictOn = (workers: Parameters<typeof measureHealth>[0]) =>
  findBottlenecks(measureHealth(workers, someFacts()));

describe('a generator', () => {
  test('is no bottleneck if it reaches its rate with time to spare', () => {
    expect(measureHealth([aWorker()], someFacts())).toEqual({
      cpu: expect.closeTo(0.2),
      lagMs: 1,
      intended: 10,
      achieved: 10,
    });
    expect(verdictOn([aWorker()])).toEqual([]);
  });

  test.each([
    ['the generator used 99 % of its cores', aWorker().map((slice) => ({ ...slice, cpu: 0.99 }))],
    ['a worker was 80 ms late', aWorker().map((slice) => ({ ...slice, lagMs: 80 }))],
  ])('is one when %s', (why, worker) => {
    expect(verdictOn([worker])).toEqual([why]);
  });

  test('is one when it opened fewer than it should have, the first and last second aside', () => {
    const slow = Array.from({ length: 14 }, (_, n) =>
      aSlice({ at: 100 + n, counters: { began: n === 0 || n === 13 ? 2 : 8 } }),
    );
    expect(verdictOn([slow])).toEqual(['the generator opened 8 connections a second in place of 10']);
  });

  test('may use its cores while artillery’s timer spins, and be late at the end', () => {
    const spinning = aWorker().map((slice) => (slice.open < 100 ? { ...slice, cpu: 1 } : slice));
    const leaving = aSlice({ at: 120, cpu: 1, lagMs: 500 });
    expect(verdictOn([[...spinning, leaving]])).toEqual([]);
  });

  test('may be late in a second of twenty', () => {
    const worker = aWorker();
    expect(verdictOn([worker.with(7, aSlice({ at: 107, counters: { began: 10 }, lagMs: 200 }))])).toEqual([]);
  });

  test('is judged by all of its workers together', () => {
    const half = aWorker().map((slice) => ({ ...slice, cpu: 0.25, counters: slice.open < 100 ? { began: 5 } : {} }));
    expect(measureHealth([half, half], someFacts())).toMatchObject({ achieved: 10, cpu: 0.5 });
  });

  test('is as fast as its workers are when they take turns', () => {
    const turns = [0, 1].map((turn) =>
      aWorker().map((slice, n) => ({ ...slice, counters: n < 10 && Math.floor(n / 5) === turn ? { began: 10 } : {} })),
    );
    expect(measureHealth(turns, someFacts()).achieved).toBe(10);
  });
});
