import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import type { Entry } from './peer.ts';
import { describeEntries, renderPage } from './peersPage.ts';

const ours: Entry = {
  ...{ entry: 'flagwire', name: 'ours', role: 'ours', version: '1', measured: 'today' },
  figures: { changeBytes: { runs: [400], median: 400 }, allOf5PerSecond: { runs: [9], median: 9, isAtLeast: true } },
  sizes: {
    ...{ measured: 'yesterday', held: [{ connections: 5_000, bytes: 3_640, cpu: 0.0495 }] },
    storms: [{ rate: 1_100, opened: 1_100, p50Ms: 0.12, p99Ms: 1.8, cpu: 0.195, errors: 0 }],
    changes: [{ connections: 10_000, p50Ms: 115, p99Ms: 145 }],
  },
  failed: ['round 1, new clients: 3 errors'],
};
const peer: Entry = {
  ...{ entry: 'peer', name: 'a peer', role: 'peer', version: '2', measured: 'today', failed: [] },
  figures: { changeBytes: { runs: [300], median: 300 } },
};

test('lists leads of peers first, then all figures with their origin, then figures by size', () => {
  const page = describeEntries([ours, peer]);
  const [leads = '', table = '', sizes = ''] = page.split('\n## ');
  expect(leads).toContain('| bytes of a change for each client | a peer | 300 | 400 |');
  expect(table).toContain('| all of 5 flags, responses a second | at least 9 | – |');
  expect(table).toContain(
    '- ours, a peer: today\n- Versions: ours: 1; a peer: 2\n- Failed: ours: round 1, new clients',
  );
  expect(sizes).toContain('| 1,100 new connections a second, data-sync | 0.12 | 1.8 | – | 19.5 % |');
  expect(sizes).toContain(
    '| 5,000 connections held | – | – | 3,640 | 4.95 % |\n| a change to 10,000 connections | 115 | 145 |',
  );
});

test('keeps docs/results/peers.md equal to the figures of its files', () => {
  const folder = join(repositoryRoot, 'docs/results/peers');
  const page = readFileSync(`${folder}.md`, 'utf8');
  expect(page).toMatch(/<!-- featbit: warm -->\n[\s\S]+<!-- figures -->\n[\s\S]+<!-- end -->/);
  // Otherwise run: npm run bench -- peers --page
  expect(page).toBe(renderPage(page, folder));
});

test('limits an adapter to 100 lines', () => {
  const folder = join(import.meta.dirname, 'entries');
  const lengths = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
});
