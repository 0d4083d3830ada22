import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeCampaigns } from '../report/campaignReport.ts';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { resultsSchema } from './schema.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-schema-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('matches results.json with complete and interrupted runs', () => {
  const usage = { cpu: 0.4, memory: 2e8 };
  const campaign = makeCampaignFiles(directory, campaignFacts(), [
    { facts: { number: 1 }, worker: workerWith(10), usage },
    { facts: { number: 2, stopped: 'it was interrupted' }, worker: [] },
  ]);
  writeCampaigns(directory, [campaign]);
  const written = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'));
  expect(resultsSchema.parse(written)).toEqual(written);
});
