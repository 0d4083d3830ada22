import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { atMost, type Bound, isKept, TO_BARE } from '../benchmark.ts';
import { halveLimits } from './published.ts';

/** Published: 0.613 and 2.93. */
const file = join(repositoryRoot, 'docs/results/host/limits.json');
const opened = (measured: number) => {
  return { name: 'new connections of host each CPU second', measured, unit: TO_BARE, atLeast: 0.75 };
};
const processor = (measured: number) => atMost(1.8, 'processor at 1100/s', measured);

const missed = (...bounds: readonly Bound[]) => halveLimits(bounds, file).filter((bound) => !isKept(bound));

test('accepts ratios that are at least half as good as published', () => {
  expect(missed(opened(0.4), processor(4), atMost(0, 'errors at 1100/s', 9, ''))).toEqual([]);
});

test('misses ratios that are less than half as good, or not measured', () => {
  const bounds = [opened(0.1), processor(20), processor(Number.NaN)];
  expect(missed(...bounds).map(({ measured }) => measured)).toEqual([0.1, 20, Number.NaN]);
});

test('throws if the file has none of the ratios', () => {
  expect(() => missed(atMost(1, 'unknown', 1))).toThrow('has none of these ratios: measure it with --runs 3');
});
