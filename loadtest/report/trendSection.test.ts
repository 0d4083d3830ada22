import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runDirectory } from '../results/campaign.ts';
import { readTrend } from '../results/trend.ts';
import { campaignFacts, makeCampaignFiles, makeRunsOf, workerWith } from '../testing/campaigns.ts';
import { trendSection } from './trendSection.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-trend-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const onDay = (day: number) => `2026-11-${String(day).padStart(2, '0')}T03:00:00.000Z`;

function madeOn(day: number, syncMs: readonly number[]) {
  return makeRunsOf(join(directory, `night-${day}`), syncMs, { startedAt: onDay(day) });
}

test('a trend is the last ten campaigns by date, each by the median of its runs', () => {
  const nights = Array.from({ length: 12 }, (_, n) => madeOn(n + 1, [10 + n, 20 + n, 60 + n]));
  const [last, ...earlier] = nights.toReversed();
  if (!last) throw new Error('there is no night');
  const trend = readTrend(last, directory);
  expect(trend).toEqual({ campaigns: [...earlier.slice(0, 9).toReversed(), last], others: 0, unreadable: [] });
  const { title, tables, charts } = trendSection(last, trend);
  expect(title).toBe('reference: the last 10 by date');
  expect(tables[0]?.rows[0]).toEqual(['2026-11-03 03:00', '0123456789ab', '22 (12 – 62)', '3 of 3', '–']);
  const [series] = charts[0]?.series ?? [];
  expect(series?.points.map(([at]) => new Date(at * 1_000).toISOString())).toEqual(
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(onDay),
  );
  expect(series?.points.at(-1)?.[1]).toBeCloseTo(31, 0);
  expect(series?.rest).toBe('last 31 ms');
  expect(charts[0]?.marks).toBeUndefined();
});

test('a campaign is in its own trend, however many are newer', () => {
  const [first] = Array.from({ length: 12 }, (_, n) => madeOn(n + 1, [10 + n]));
  if (!first) throw new Error('there is no night');
  const days = readTrend(first, directory).campaigns.map(({ facts }) => facts.startedAt);
  expect(days).toEqual([1, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(onDay));
});

test('what was INVALID or killed is marked and counted, and is no part of the line', () => {
  const late = workerWith(900).map((slice) => ({ ...slice, lagMs: 200 }));
  const facts = { facts: { number: 2, stopped: 'it was interrupted' }, worker: workerWith(900) };
  makeCampaignFiles(join(directory, 'late'), campaignFacts({ startedAt: onDay(2) }), [
    { facts: {}, worker: late },
    facts,
  ]);
  madeOn(1, [10]);
  const last = madeOn(3, [30]);
  const { tables, charts } = trendSection(last, readTrend(last, directory));
  expect(tables[0]?.rows.map((row) => row.slice(2))).toEqual([
    ['10', '1 of 1', '–'],
    ['–', '0 of 2', '1 INVALID, 1 killed'],
    ['30', '1 of 1', '–'],
  ]);
  expect(charts[0]?.marks).toEqual({ name: 'INVALID or killed', at: [Date.parse(onDay(2)) / 1_000] });
  expect(charts[0]?.series[0]?.points).toHaveLength(2);
});

test('campaigns of another kind are left out and counted; one alone is no line', () => {
  makeRunsOf(join(directory, 'other'), [5], { startedAt: onDay(1), target: 'local' });
  mkdirSync(join(directory, 'no campaign'));
  const last = madeOn(2, [30]);
  const { notes, charts } = trendSection(last, readTrend(last, directory));
  expect(notes).toContain('1 others in the folder are of another scenario, target, load or machine.');
  expect(charts).toEqual([]);
});

test('what cannot be read is left out and named, and the campaign has its report', () => {
  madeOn(1, [20]);
  makeRunsOf(join(directory, 'broken'), [5], { startedAt: onDay(2) });
  makeRunsOf(join(directory, 'half'), [5], { startedAt: onDay(3) });
  writeFileSync(join(directory, 'broken', 'campaign.json'), '{');
  writeFileSync(join(runDirectory(join(directory, 'half'), 10, 1), 'run.json'), '');
  const last = madeOn(4, [30]);
  const trend = readTrend(last, directory);
  expect(trend.campaigns.map(({ facts }) => facts.startedAt)).toEqual([1, 4].map(onDay));
  expect(trendSection(last, trend).notes).toContain('2 in the folder cannot be read: broken, half.');
});

test('a folder that is gone when the load is over leaves the campaign alone', () => {
  const last = madeOn(1, [30]);
  expect(readTrend(last, join(directory, 'gone'))).toEqual({ campaigns: [last], others: 0, unreadable: ['gone'] });
});
