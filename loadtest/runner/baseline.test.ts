import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, makeRunsOf, workerWith } from '../testing/campaigns.ts';
import { checkBaseline, readBaseline, requireComparable, tooFew } from './baseline.ts';
import { WrongArguments } from './outcome.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-baseline-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('reads the folder of an earlier campaign, and refuses another folder', () => {
  const made = makeRunsOf(directory, [5]);
  expect(readBaseline({ baseline: directory })).toEqual(made);
  expect(readBaseline({})).toBeUndefined();
  expect(() => readBaseline({ baseline: join(directory, 'none') })).toThrow(WrongArguments);
  expect(() => readBaseline({ baseline: join(directory, 'none') })).toThrow(
    'none holds no campaign. Name the --out folder of',
  );
  expect(() => readBaseline({ failOn: 'worse' })).toThrow('--fail-on worse needs a --baseline');
});

describe('a baseline', () => {
  test('is comparable with other runs, thresholds and versions', () => {
    const facts = { parameters: { rates: [10, 20], runs: 9 }, ensure: [] };
    expect(() => requireComparable(makeRunsOf(directory, [5], facts), campaignFacts(), [10])).not.toThrow();
  });

  const { machine } = campaignFacts();
  test.each([
    ['scenario', { scenario: 'push' }, 'the baseline differs: its scenario is push, not reference'],
    ['target', { target: 'local' }, 'the baseline differs: its target is local, not host'],
    ['load', { parameters: { rampS: 3 } }, 'the baseline differs: its load is {"rampS":3}, not {}'],
    [
      'processor',
      { machine: { ...machine, cpu: 'Another CPU' } },
      'was measured on Another CPU with 2 cores and 1 GiB, this campaign on A CPU with 2 cores and 1 GiB',
    ],
    ['memory', { machine: { ...machine, memoryBytes: 2 * machine.memoryBytes } }, 'Measure both on the same machine'],
  ])('is not comparable with another %s', (_, fields, why) => {
    const baseline = makeRunsOf(directory, [5], fields);
    expect(() => requireComparable(baseline, campaignFacts(), [10])).toThrow(WrongArguments);
    expect(() => requireComparable(baseline, campaignFacts(), [10])).toThrow(why);
  });

  test('is not comparable at a rate without a usable run', () => {
    const baseline = makeCampaignFiles(directory, campaignFacts(), [
      { facts: { rate: 10 } },
      { facts: { rate: 20, stopped: 'it was interrupted' } },
      { facts: { rate: 20, number: 2 }, worker: workerWith(5).map((slice) => ({ ...slice, lagMs: 200 })) },
    ]);
    expect(() => requireComparable(baseline, campaignFacts(), [10])).not.toThrow();
    expect(() => requireComparable(baseline, campaignFacts(), [10, 20])).toThrow('all 2 were discarded');
    expect(() => requireComparable(baseline, campaignFacts(), [30])).toThrow(
      'no run at 30/s that counts: there is none',
    );
  });
});

test('warns about too few runs, and refuses them with --fail-on', () => {
  const baseline = makeRunsOf(directory, [5, 6, 7, 8]);
  const said: string[] = [];
  const check = (runs: number, failOn?: 'worse') =>
    checkBaseline(baseline, campaignFacts(), { rates: [10], runs, ...(failOn && { failOn }) }, (line) =>
      said.push(line),
    );
  check(3, 'worse');
  expect(said).toEqual([]);
  check(2);
  expect(said).toEqual([expect.stringContaining('too few to show a difference')]);
  expect(() => check(2, 'worse')).toThrow(WrongArguments);
});

test('names the required number of runs', () => {
  const baseline = makeRunsOf(directory, [5, 6, 7, 8]);
  expect(tooFew(baseline, [10], 3)).toBeUndefined();
  expect(tooFew(baseline, [10], 2)).toBe(
    '2 runs at each rate against 4 of the baseline are too few to show a difference: both need 3 (--runs 3).',
  );
});
