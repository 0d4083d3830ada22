import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { median } from '../../../shared/statistics/quantile.ts';

const folder = join(repositoryRoot, 'docs/results');
const measured: unknown = JSON.parse(readFileSync(join(folder, 'featbit/servers.json'), 'utf8'));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** All numbers, also in nested objects. */
function listNumbers(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return isObject(value) ? Object.values(value).flatMap(listNumbers) : [];
}

/** The median of two or three rounds. */
function middle(value: unknown): number {
  return median(listNumbers(value));
}

/** Medians of each figure, and the host's on Bun divided by those of FeatBit's server. */
function listMedians(value: unknown): number[] {
  if (!isObject(value)) return [];
  const servers = Object.entries(value).filter(([name]) => /^(flagwire|featbit)/.test(name));
  const bun: object = new Map(servers).get('flagwireBun') ?? {};
  const compared = servers.flatMap(([, figures]) => {
    if (Array.isArray(figures)) return [middle(figures), middle(bun) / middle(figures)];
    const pairs = Object.entries(figures).map(([name, figure]) => [new Map(Object.entries(bun)).get(name), figure]);
    return pairs.flatMap(([ours, theirs]) => [middle(theirs), middle(ours) / middle(theirs)]);
  });
  return [...compared, ...Object.values(value).flatMap(listMedians)];
}

test('takes each figure of the tables in featbit.md from servers.json', () => {
  const [tables = ''] = readFileSync(join(folder, 'featbit.md'), 'utf8').split('## Differences on the wire');
  const cells = tables.split('\n').flatMap((line) => (line.startsWith('| ') ? line.split('|').slice(2) : []));
  const figures = cells.flatMap((cell) => cell.replaceAll(',', '').match(/\d+(\.\d+)?/g) ?? []);
  const known = [...listNumbers(measured), ...listMedians(measured)];
  const isKnown = (text: string) => known.some((each) => each.toFixed(text.split('.')[1]?.length ?? 0) === text);
  expect(figures.length).toBeGreaterThan(150);
  expect(figures.filter((text) => !isKnown(text))).toEqual([]);
});
