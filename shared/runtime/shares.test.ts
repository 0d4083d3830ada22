import { expect, test } from '@jest/globals';
import { Shares } from './shares.ts';

test('gives an environment half of the limit, and each further one half of the rest', () => {
  const shares = new Shares(100);
  const takeAll = (envId: string) => {
    let taken = 0;
    while (shares.take(envId)) taken += 1;
    return taken;
  };
  expect(['a', 'b', 'a', 'c'].map(takeAll)).toEqual([50, 25, 0, 13]);
});

test('environments that take in turns have equal shares', () => {
  const shares = new Shares(100);
  const taken = Array.from({ length: 100 }, () => ['a', 'b', 'c'].map((envId) => Number(shares.take(envId))));
  expect(['a', 'b', 'c'].map((_, n) => taken.reduce((sum, turn) => sum + (turn[n] ?? 0), 0))).toEqual([25, 25, 25]);
});
