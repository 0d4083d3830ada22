import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { aLoadProfile, aWorker } from '../testing/results.ts';
import { makeReport, writeCampaigns } from './campaignReport.ts';

/** As the published runs would have opened them, for a generator that is in time. */
const plan = aLoadProfile();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-report-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A worker that answers, and fails once a second. */
const failing = () =>
  aWorker().map((slice) => ({
    ...slice,
    counters: { ...slice.counters, errors: 1, 'error: an answer lacks a flag': 1 },
  }));

describe('a report', () => {
  test('shows FeatBit’s three tables with published figures, ours, and the ratio', () => {
    const usage = { cpu: 0.41, memory: 0.11 * 1024 ** 3 };
    const campaign = makeCampaignFiles(directory, campaignFacts(), [
      { facts: { rate: 1_100, plan }, worker: workerWith(17.03), usage },
    ]);
    const { tables } = makeReport([campaign]).sections[1] ?? { tables: [] };
    expect(tables[0]?.head.slice(0, 4)).toEqual(['new/s', 'average published', 'host', 'ratio']);
    expect(tables[0]?.rows).toEqual([[1_100, '9.98', '17', '1.7 ×', '55.5', '17', '0.31 ×', '170', '17', '0.1 ×']]);
    expect(tables[1]?.rows).toEqual([[1_100, '88', '41', '0.47 ×', '29', '41', '1.4 ×']]);
    expect(tables[2]?.rows).toEqual([[1_100, '58', '11', '0.19 ×', '42', '11', '0.26 ×']]);
  });

  test('is based on the medians of usable runs', () => {
    const late = workerWith(500).map((slice) => ({ ...slice, lagMs: 200 }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), [
      ...[10, 30, 20].map((ms, n) => ({ facts: { rate: 1_000, number: n + 1, plan }, worker: workerWith(ms) })),
      { facts: { rate: 1_000, number: 4, plan }, worker: late },
      { facts: { rate: 1_000, number: 5, plan, stopped: 'it was interrupted' }, worker: failing() },
    ]);
    const report = makeReport([campaign]);
    const spread = report.sections[1]?.tables.find(({ caption }) => caption?.startsWith('P99 of sync over runs'));
    expect(spread?.rows).toEqual([[1_000, '3 of 5', '20', '10', '30', 0]]);
    const generator = report.sections.at(-1)?.tables[0]?.rows.map((row) => row.at(-1));
    expect(generator?.slice(3)).toEqual(['INVALID: a worker was 200 ms late', 'partial: it was interrupted']);
    expect(report.sections.at(-1)?.verdicts).toEqual([{ isGood: false, text: 'host: 2 of 5 runs are not used' }]);
    // Neither the 900 ms of the one nor the errors of the other are in any verdict, figure or chart.
    expect(report.sections[0]?.verdicts.map(({ text }) => text)).toEqual([
      'Met: 99 % of data-syncs within 30 ms; the limit is 200. The worst of 3 runs of reference against host, at 1,000/s',
      'Met: errors in 0 % of connections; the limit is 1. The worst of 3 runs of reference against host, at 1,000/s',
    ]);
    expect(JSON.stringify(report.sections.slice(0, -1))).not.toContain('an answer lacks a flag');
  });

  test('starts with missed thresholds, and lists errors', () => {
    const campaign = makeCampaignFiles(directory, campaignFacts(), [{ facts: { plan }, worker: failing() }]);
    const [first, second] = makeReport([campaign]).sections;
    expect(first?.verdicts[1]).toEqual({
      isGood: false,
      text: 'Not met: errors in 20 % of connections; the limit is 1. The only run of reference against host, at 10/s',
    });
    expect(second?.notes).toContain('20 times: an answer lacks a flag.');
    expect(second?.notes).toContain('NOT measured: CPU and memory of the server.');
  });

  test('has no result if all runs were discarded', () => {
    const campaign = makeCampaignFiles(directory, campaignFacts(), [{ facts: { plan, stopped: 'it was killed' } }]);
    const report = makeReport([campaign]);
    expect(report.sections[0]?.verdicts).toEqual([
      { isGood: false, text: 'No result: the only run of reference against host was limited or ended early' },
    ]);
    expect(report.sections.flatMap(({ charts }) => charts)).toEqual([]);
    expect(report.sections.flatMap(({ tables }) => tables).filter(({ rows }) => rows.length === 0)).toEqual([]);
    expect(report.sections[1]?.tables).toEqual([]);
    const [generator] = report.sections.at(-1)?.tables ?? [];
    expect(generator?.head[2]).toBe('sync P99 ms');
    expect(generator?.rows[0]?.[2]).toBe('(5)');
    expect(JSON.stringify(report.sections)).not.toContain('Most connections open');
  });

  test('draws a rate in gray if the load generator limited all of its runs', () => {
    const late = workerWith(500).map((slice) => ({ ...slice, lagMs: 200 }));
    const campaign = makeCampaignFiles(directory, campaignFacts(), [
      { facts: { rate: 1_000, number: 1, plan }, worker: late },
      { facts: { rate: 1_100, number: 1, plan }, worker: late },
      { facts: { rate: 1_100, number: 2, plan } },
    ]);
    const { sections } = makeReport([campaign]);
    const [, summary] = sections;
    const drawn = sections.flatMap(({ charts }) => charts).find(({ title }) => title === 'Distribution: sync');
    expect(drawn?.series.slice(0, 2).map(({ name, isMuted }) => [name, isMuted])).toEqual([
      ['host, 1000/s †', true],
      ['host, 1100/s', false],
    ]);
    const times = summary?.tables.find(({ caption }) => caption?.startsWith('Times in milliseconds'));
    expect(times?.rows.map(([rate, time, , , p50]) => [rate, time, p50])).toEqual([
      ['1000 †', 'sync', '500'],
      [1_100, 'sync', '5'],
    ]);
    expect(summary?.notes[0]).toMatch(/^†: the load generator limited each run at this rate/);
    const [only] = makeReport([{ ...campaign, runs: campaign.runs.slice(0, 1) }]).sections;
    expect(only?.verdicts[0]?.text).toBe(
      'No result: the load generator limited the only run of reference against host',
    );
  });

  test('compares with published figures, with a caution, but never the emulator', () => {
    const runs = [{ facts: { rate: 1_000, plan } }];
    const host = makeCampaignFiles(join(directory, 'a'), campaignFacts(), runs);
    const local = makeCampaignFiles(join(directory, 'b'), campaignFacts({ target: 'local' }), runs);
    const [verdict, summary] = makeReport([host]).sections;
    expect(verdict?.notes).toEqual([]);
    expect(summary?.notes[0]).toContain('They are not directly comparable.');
    expect(summary?.tables[0]?.rows[0]?.slice(-3)).toEqual(['96.7', '5', '0.052 ×']);
    expect(JSON.stringify(makeReport([local]))).not.toMatch(/published/i);
    const other = makeCampaignFiles(join(directory, 'c'), campaignFacts(), [{ facts: { rate: 40, plan } }]);
    const [first, second] = makeReport([other]).sections;
    expect(first?.notes).toEqual([]);
    expect(second?.tables[0]?.head).toEqual(['new/s', 'average, host', 'P95, host', 'P99, host']);
  });

  test('gives each rate one color, and each target one line style', () => {
    const runs = [1_000, 1_100].map((rate) => ({ facts: { rate, plan } }));
    const first = makeCampaignFiles(join(directory, 'a'), campaignFacts(), runs);
    const second = makeCampaignFiles(join(directory, 'b'), campaignFacts({ target: 'other' }), runs);
    const charts = makeReport([first, second]).sections.flatMap((section) => section.charts);
    expect(charts.length).toBeGreaterThan(3);
    for (const { series } of charts) {
      for (const { name, of, line, rest } of series) {
        expect(rest).toMatch(/^(P99 \d|median \d+[.\d]*, most \d)/);
        expect(name).toContain(of);
        expect(line).toBe(name.startsWith('host') ? 0 : 1);
      }
    }
  });

  test('has images of its charts in Markdown, and no charts in a terminal', () => {
    const campaign = makeCampaignFiles(directory, campaignFacts(), [{ facts: { rate: 1_000, plan } }]);
    expect(makeReport([campaign]).sections.map(({ title }) => title)).toContain('reference: charts');
    expect(writeCampaigns(directory, [campaign]).text).not.toContain('reference: charts');
    const [, drawn, file = ''] = /^!\[(.*)\]\((.*)\)$/m.exec(readFileSync(join(directory, 'report.md'), 'utf8')) ?? [];
    expect([drawn, file]).toEqual(['Distribution: sync', 'report-1.svg']);
    expect(readFileSync(join(directory, file), 'utf8')).toContain('aria-label="Distribution: sync"');
  });

  test('is written as a page without scripts, Markdown, and JSON without seconds', () => {
    const campaign = makeCampaignFiles(
      directory,
      campaignFacts({ machine: { cpu: '<b>&', cores: 2, memoryBytes: 1 } }),
      [{ facts: { rate: 1_000, plan } }],
    );
    const { page, text } = writeCampaigns(directory, [campaign]);
    expect(text).toContain('Data-sync response time, ms');
    const html = readFileSync(page, 'utf8');
    expect(html).not.toMatch(/<(script|link|img|b)\b/);
    expect(html).toContain('&lt;b&gt;&amp;');
    expect(html).toContain('aria-label="Distribution: sync"');
    expect(readFileSync(join(directory, 'report.md'), 'utf8')).toContain('| new/s | average published |');
    const [{ runs }] = JSON.parse(readFileSync(join(directory, 'results.json'), 'utf8'));
    expect(runs[0].times.sync.count).toBe(100);
    expect(runs[0].seconds).toBeUndefined();
  });
});
