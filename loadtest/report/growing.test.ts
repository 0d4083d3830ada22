import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { growingReport } from './growing.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-growing-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const now = Date.parse('2026-11-21T00:00:07.000Z');
const running = { facts: { rate: 1_000, number: 2, endedAt: undefined as never }, worker: workerWith(900) };

test('has nothing to report before a campaign, and before its first run', () => {
  expect(growingReport(undefined, now).sections.map(({ title }) => title)).toEqual(['No run is active']);
  const begun = makeCampaignFiles(directory, campaignFacts(), []);
  expect(growingReport(begun, now).sections.map(({ title }) => title)).toEqual(['No run is active']);
});

test('the run that is being made comes first, with charts of its own', () => {
  const campaign = makeCampaignFiles(directory, campaignFacts(), [running]);
  const { sections } = growingReport(campaign, now);
  expect(sections).toHaveLength(1);
  expect(sections[0]).toMatchObject({ title: 'Running: reference at 1,000/s, run 2', verdicts: [], tables: [] });
  expect(sections[0]?.notes).toEqual([
    '7 of about 20 s; 100 connections are open.',
    'sync: P50 900 ms, P99 900 ms.',
    '0 errors so far.',
    'Finished runs: 0.',
  ]);
  expect(sections[0]?.charts.map(({ title }) => title)).toContain('Data-sync P99 over time, medians of 5 s');
});

test('keeps the active run out of verdicts and figures of finished runs', () => {
  const campaign = makeCampaignFiles(directory, campaignFacts(), [{ facts: { rate: 1_000 } }, running]);
  const [first, verdict, ...others] = growingReport(campaign, now).sections;
  expect(first?.notes.at(-1)).toBe('Finished runs: 1.');
  expect(verdict?.verdicts[0]).toEqual({
    isGood: true,
    text: 'reference against host: sync.p99 at most 200: met in all 1 runs; the worst is 5 at 1,000/s, 97.5 % below',
  });
  expect(JSON.stringify(others)).not.toContain('900');
});
