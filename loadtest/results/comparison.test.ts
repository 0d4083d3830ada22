import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, makeRunsOf, workerWith } from '../testing/campaigns.ts';
import { compare } from './comparison.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-comparison-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function compared(now: readonly number[], before: readonly number[]) {
  const baseline = makeRunsOf(join(directory, 'before'), before);
  return compare(makeRunsOf(join(directory, 'now'), now), baseline, false);
}

/** The verdict on the P99 of data-syncs. */
function verdictOn(now: readonly number[], before: readonly number[]) {
  return compared(now, before).figures.find(({ name }) => name === 'sync.p99')?.verdict;
}

describe('a figure compared with the baseline’s', () => {
  const before = [20, 21, 22, 23, 24];

  test.each([
    ['worse', [30, 31, 32, 33, 34]],
    ['better', [10, 11, 12, 13, 14]],
    ['unclear', [19, 21.5, 24, 26, 40]],
  ])('is %s for %j', (verdict, now) => {
    expect(verdictOn(now, before)).toBe(verdict);
  });

  test('is the same if the medians differ by less than 5 %, even if no ranges overlap', () => {
    const close = [100, 100.5, 101, 101.5, 102];
    expect(verdictOn(close, close)).toBe('same');
    expect(verdictOn([103, 103.2, 103.4, 103.6, 103.8], close)).toBe('same');
    expect(verdictOn([113, 113.2, 113.4, 113.6, 113.8], close)).toBe('worse');
  });

  test.each([
    ['unclear', [900, 901], before],
    ['unclear', [900, 901, 902], [20, 21]],
    ['unclear', [20, 21], [20, 21]],
    ['worse', [900, 901, 902], [20, 21, 22]],
  ])('needs three runs of each campaign: is %s for %j and %j', (verdict, now, base) => {
    expect(verdictOn(now, base)).toBe(verdict);
  });

  test('has the medians, the ranges and the difference of the medians', () => {
    const close = (value: number) => expect.closeTo(value, 0);
    expect(compared([30, 31, 32], before).figures[1]).toMatchObject({
      before: close(22),
      now: close(31),
      ranges: { before: [close(20), close(24)], now: [close(30), close(32)] },
      change: close(9),
    });
  });

  test('is of runs that say something of the server alone', () => {
    const now = makeCampaignFiles(join(directory, 'now'), campaignFacts(), [
      ...[20, 21, 22, 23, 24].map((ms, n) => ({ facts: { number: n + 1 }, worker: workerWith(ms) })),
      { facts: { number: 6, stopped: 'it was interrupted' }, worker: workerWith(900) },
      { facts: { number: 7 }, worker: workerWith(900).map((slice) => ({ ...slice, lagMs: 200 })) },
    ]);
    const { figures } = compare(now, makeRunsOf(join(directory, 'before'), before), false);
    const [, p99] = figures;
    expect(p99).toMatchObject({ name: 'sync.p99', now: expect.closeTo(22, 1), runs: { now: 5, before: 5 }, change: 0 });
  });
});

test('compares only what both measured, at rates that both have', () => {
  const usage = { cpu: 0.4, memory: 2 ** 28 };
  const before = makeCampaignFiles(join(directory, 'before'), campaignFacts(), [{ facts: {}, usage }]);
  const now = makeCampaignFiles(join(directory, 'now'), campaignFacts(), [
    { facts: {} },
    { facts: { rate: 20 }, usage },
  ]);
  const names = (...[a, b]: [typeof now, typeof now]) =>
    compare(a, b, false).figures.map(({ rate, name }) => [rate, name]);
  const both = ['sync.p50', 'sync.p99', 'errors'];
  expect(names(now, before)).toEqual(both.map((name) => [10, name]));
  expect(names(before, before)).toEqual([...both, 'CPU, ramp', 'memory, hold'].map((name) => [10, name]));
});
