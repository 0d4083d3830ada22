import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { readCampaign } from './campaign.ts';
import type { RunResult } from './runResult.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-campaign-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A run whose data-syncs take 20 ms, and what a second look at its folder finds when they took 30 ms. */
function readTwice(stopped?: string, lagMs = 1): number[] {
  const known = new Map<string, RunResult>();
  const make = (ms: number, facts: { stopped?: string }, lagMs: number) =>
    makeCampaignFiles(directory, campaignFacts(), [
      { facts, worker: workerWith(ms).map((slice) => ({ ...slice, lagMs })) },
    ]);
  make(20, stopped === undefined ? {} : { stopped }, lagMs);
  readCampaign(directory, known);
  make(30, {}, 1);
  return readCampaign(directory, known).runs.map(({ times }) => Math.round(times['sync']?.p99 ?? 0));
}

test('a run that is over is read once', () => {
  expect(readTwice()).toEqual([20]);
});

test('a run that is not used is read again, since it may have been made again', () => {
  expect([readTwice('it was interrupted'), readTwice(undefined, 200)]).toEqual([[30], [30]]);
});
