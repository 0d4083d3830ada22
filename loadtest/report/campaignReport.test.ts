import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { aPlan, aWorker } from '../testing/results.ts';
import { reportOf } from './campaignReport.ts';
import { writeReport } from './write.ts';

/** As the published runs would have opened them, for a generator that is in time. */
const plan = aPlan();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-report-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a report', () => {
  test('has FeatBit’s three tables: published, ours, and the ratio', () => {
    const usage = { cpu: 0.41, memory: 0.11 * 1024 ** 3 };
    const campaign = makeCampaignFiles(directory, campaignFacts(), [
      { facts: { rate: 1_100, plan }, worker: workerWith(17.03), usage },
    ]);
    const { tables } = reportOf([campaign]).sections[0] ?? { tables: [] };
    expect(tables[0]?.head.slice(0, 4)).toEqual(['new/s', 'average published', 'host', 'ratio']);
    expect(tables[0]?.rows).toEqual([[1_100, '9.98', '17', '1.71×', '55.5', '17', '0.307×', '170', '17', '0.1×']]);
    expect(tables[1]?.rows).toEqual([[1_100, '88', '41', '0.466×', '29', '41', '1.41×']]);
    expect(tables[2]?.rows).toEqual([[1_100, '58', '11', '0.19×', '42', '11', '0.262×']]);
  });

  test('is made of the runs that say something, by their median', () => {
    const late = workerWith(500).map((slice) => ({ ...slice, lagMs: 200 }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), [
      ...[10, 30, 20].map((ms, n) => ({ facts: { rate: 1_000, number: n + 1, plan }, worker: workerWith(ms) })),
      { facts: { rate: 1_000, number: 4, plan }, worker: late },
      { facts: { rate: 1_000, number: 5, plan, stopped: 'it was interrupted' }, worker: workerWith(900) },
    ]);
    const report = reportOf([campaign]);
    const spread = report.sections[0]?.tables.find(({ caption }) => caption?.startsWith('P99 of sync over runs'));
    expect(spread?.rows).toEqual([[1_000, '3 of 5', '20', '10', '30', expect.stringMatching(/^20 ± 24\.\d$/), 0]]);
    const generator = report.sections.at(-1)?.tables[0]?.rows.map((row) => row.at(-1));
    expect(generator?.slice(3)).toEqual(['INVALID: a worker was 200 ms late', 'partial: it was interrupted']);
    expect(report.sections.at(-1)?.verdicts).toEqual([{ isGood: false, text: 'host: 2 of 5 runs are not used' }]);
  });

  test('names thresholds that were not kept, and what went wrong', () => {
    const failing = aWorker().map((slice) => ({
      ...slice,
      counters: { ...slice.counters, errors: 1, 'error: an answer lacks a flag': 1 },
    }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), [{ facts: { plan }, worker: failing }]);
    const [section] = reportOf([campaign]).sections;
    expect(section?.verdicts.map(({ isGood }) => isGood)).toEqual([true, false]);
    expect(section?.verdicts[1]?.text).toContain('FAILED in 1 of 1 runs; FAILED: errors.percent is 20, at most 1');
    expect(section?.notes).toContain('20 times: an answer lacks a flag.');
    expect(section?.notes).toContain('NOT measured: CPU and memory of the server.');
  });

  test('gives each target one colour in all charts', () => {
    const first = makeCampaignFiles(join(directory, 'a'), campaignFacts(), [{ facts: { rate: 1_000, plan } }]);
    const second = makeCampaignFiles(join(directory, 'b'), campaignFacts({ target: 'local' }), [
      { facts: { rate: 1_000, plan } },
    ]);
    const charts = reportOf([first, second]).sections.flatMap((section) => section.charts);
    expect(charts.length).toBeGreaterThan(3);
    for (const { series } of charts) {
      expect(series.map(({ of }) => of).filter((of) => of !== 'published')).toEqual(['host', 'local']);
    }
  });

  test('is written as a page that needs nothing else, Markdown, and JSON without the single seconds', () => {
    const campaign = makeCampaignFiles(directory, campaignFacts({ target: '<b>&' }), [
      { facts: { rate: 1_000, plan } },
    ]);
    const { page, text } = writeReport(directory, [campaign]);
    const html = readFileSync(page, 'utf8');
    expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
    expect(html).toContain('&#60;b&#62;&#38;');
    expect(html).not.toContain('<b>&');
    expect(text).toContain('Data-sync response time in milliseconds');
    expect(readFileSync(join(directory, 'report.md'), 'utf8')).toContain('| new/s | average published |');
    const [{ runs }] = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'));
    expect(runs[0].times.sync.count).toBe(100);
    expect(runs[0].seconds).toBeUndefined();
  });
});
