import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { resultsPage, scalePage } from './page.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');
const { sections, commit } = JSON.parse(read('results/simulation.json'));

test('docs/scale.md is what the kept results make of it', () => {
  expect(read('scale.md')).toBe(scalePage(sections, commit));
});

test('a table of results has as many cells in a row as in its head', () => {
  const rows = resultsPage(sections, commit)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const widths = new Set(rows.map((row) => row.split(' | ').length));
  // Results, and times with their sources.
  expect([...widths].toSorted()).toEqual([11, 4]);
});
