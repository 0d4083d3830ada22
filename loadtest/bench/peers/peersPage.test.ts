import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { withFigures } from '../../report/write.ts';
import type { Entry } from './peer.ts';
import { describeEntries, readEntries } from './peersPage.ts';

const ours: Entry = {
  ...{ entry: 'flagwire-bun', name: 'ours', role: 'ours', version: '1', build: 'here', measured: 'today' },
  settings: [],
  figures: { changeBytes: { runs: [400], median: 400 }, allOf5PerSecond: { runs: [9], median: 9, isAtLeast: true } },
  blank: {},
  failed: ['round 1, new clients: 3 errors'],
};
const peer: Entry = {
  ...{ ...ours, entry: 'peer', name: 'a peer', role: 'peer', failed: [] },
  figures: { changeBytes: { runs: [300], median: 300 } },
  blank: { allOf5PerSecond: 'It cannot.' },
};

test('lists leads of peers first, then blank figures, failed runs and sources', () => {
  const page = describeEntries([ours, peer]);
  const [leads = '', table = ''] = page.split('\n## ');
  expect(leads).toContain('- **a peer**: bytes of a change for each client: 300 compared with 400');
  expect(leads).not.toContain('**ours**');
  expect(table).toContain('| all of 5 flags, responses a second | at least 9 | – |');
  expect(page).toContain('- **a peer**, all of 5 flags, responses a second: It cannot.');
  expect(page).toContain('- ours: round 1, new clients: 3 errors');
  expect(page).toContain('- ours, a peer: today');
  expect(describeEntries([ours])).toContain('better than our host on Bun\n\n- None.');
});

test('keeps docs/results/peers.md equal to the figures of its files', () => {
  const folder = join(repositoryRoot, 'docs/results/peers');
  const page = readFileSync(`${folder}.md`, 'utf8');
  expect(page).toMatch(/<!-- figures -->\n[\s\S]+<!-- end -->/);
  // Otherwise run: npm run bench -- peers --page
  expect(page).toBe(withFigures(page, describeEntries(readEntries(folder))));
});

test('limits an adapter to 100 lines', () => {
  const folder = join(import.meta.dirname, 'entries');
  const lengths = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
});
