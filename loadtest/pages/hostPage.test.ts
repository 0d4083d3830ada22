import { expect, test } from '@jest/globals';
import type { Report } from '../bench/host/page.ts';
import type { Result } from '../bench/host/result.ts';
import { hostPage } from './hostPage.ts';

const machine = { cpu: 'a CPU', cores: 2, memoryBytes: 1, node: 'v24.1.0' };
const result = (run: number, rate: number): Result => ({
  title: `Saturation (run ${run})`,
  head: ['server', 'new/s'],
  rows: [
    ['bare Bun', 9_000],
    ['host', rate],
  ],
  bounds: [{ name: 'host against bare Bun', measured: rate / 9_000, unit: '×', atLeast: 0.5 }],
  invalid: [],
  notes: ['Medians of 3 rounds.'],
  charts: [{ title: 'times', x: 'n', y: 'ms', series: [], levels: [{ name: 'published', at: 96.7 }] }],
});
const report = (...results: Result[]): Report => ({ machine, at: '2026-11-22T10:00:00Z', parameters: {}, results });
const soak = report({ ...result(1, 9), title: 'Soak', bounds: [], charts: [] });
const before = report({ ...result(1, 3_000), title: 'Saturation (run 1)' }, result(2, 2_000));

test('the page has what every run measured, and whether each bound was kept by all', () => {
  const page = hostPage(report(result(1, 7_000), result(2, 4_000)), soak, before);
  expect(page).toContain('| host | 7,000 · 4,000 |');
  expect(page).toContain('- host against bare Bun: 0.778 · 0.444 ×; the bound, at least 0.5, is **not kept**.');
  expect(page).toContain('- published: 96.7.');
  expect(hostPage(report(result(1, 7_000)), soak, before)).toContain('0.778 ×; the bound, at least 0.5, is kept.');
});

test('the page says where its figures come from, and what is not known of it', () => {
  const stamp = {
    command: 'npm run bench:host -- --runs 3',
    commit: '0123456789ab',
    machine,
    at: '2026-11-22T09:00:00Z',
  };
  expect(hostPage({ ...report(result(1, 1)), stamp }, soak, before)).toContain(
    '`npm run bench:host -- --runs 3` on 2026-11-22, commit `0123456789ab`, Node 24.1.0, 2 cores of a CPU.',
  );
  expect(hostPage(report(result(1, 1)), soak, before)).toContain('its commit was not noted.');
});

test('the page ends with what was measured before, and holds it against no bound', () => {
  const [, section] = hostPage(report(result(1, 7_000)), soak, before).split('## Before');
  expect(section).toContain('| host | 3,000 · 2,000 |');
  expect(section).not.toContain('the bound');
});
