import { describe, expect, test } from '@jest/globals';
import { assumed } from '../testing/assumed.ts';
import { readMeasured } from './measured.ts';
import { rangesFrom } from './ranges.ts';
import { rangesOf } from './rangesOf.ts';

const measured = readMeasured();
const all = rangesFrom(measured);

describe('measured assumptions', () => {
  test('is read from docs/results, and is of the size it must be', () => {
    expect(measured.connectionBytes).toBeGreaterThan(1_000);
    expect(measured.connectionBytes).toBeLessThan(12 * 1_024);
    for (const [name, low, high] of [
      ['pingCoreMs', 0.001, 1],
      ['syncCoreMs', 0.05, 5],
      ['pushCoreMs', 0.001, 1],
      ['pollCoreMs', 0.1, 20],
      ['idleCores', 0, 0.2],
    ] as const) {
      expect([name, measured[name] > low && measured[name] < high]).toEqual([name, true]);
    }
    // A sync does what a ping does, and reads and evaluates as well.
    expect(measured.syncCoreMs).toBeGreaterThan(measured.pingCoreMs);
  });
});

test('a t2.micro is as fast as the core of FeatBit’s server at best', () => {
  const { low, expected, high } = all.t2CoreFactor;
  // Measured: a new connection took 0.373 ms of that core, and 0.214 ms of the core of the other figures.
  expect(low).toBeCloseTo(0.373 / 0.214, 2);
  expect([expected / low, high / low]).toEqual([4, 4]);
});

describe('every assumption', () => {
  test('has a number, what it means and where it comes from', () => {
    expect(Object.keys(all).sort()).toEqual(Object.keys(assumed).sort());
    for (const [name, { expected, low, high, unit, meaning, source }] of Object.entries(all)) {
      expect([name, Number.isFinite(expected + low + high), unit && meaning && source ? 'said' : 'unsaid']).toEqual([
        name,
        true,
        'said',
      ]);
    }
  });

  test('is called so that it can be read without its number', () => {
    for (const { meaning } of Object.values(all)) expect(meaning).not.toMatch(/^(as|billed|for|in|of|on|sent|that) /);
  });

  test('is expected somewhere between low and high', () => {
    for (const [name, { expected, low, high }] of Object.entries(all)) {
      expect([name, expected >= Math.min(low, high) && expected <= Math.max(low, high)]).toEqual([name, true]);
    }
    const { low, expected, high } = rangesOf(all);
    expect([low.syncMs, expected.syncMs, high.syncMs]).toEqual([all.syncMs.low, all.syncMs.expected, all.syncMs.high]);
  });

  test('a function takes its processor time on its share of a core, and its requests', () => {
    const { expected } = all.syncMs;
    // 1.3 times as slow, 512 MB of 1,769; four requests of 4 ms, and a post of 12.
    expect(expected).toBeCloseTo((measured.calls.sync.cpuMs * 1.3 * 1_769) / 512 + 16 + 12, 6);
  });
});
