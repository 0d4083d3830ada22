import { expect, test } from '@jest/globals';
import { findBottlenecks } from './bottlenecks.ts';

test.each([
  [{}, []],
  [{ achieved: 900 }, ['the generator opened 900 connections a second in place of 1000']],
  [{ cpu: 0.97 }, ['the generator used 97 % of its cores']],
  [{ lagMs: 80 }, ['a worker was 80 ms late']],
  [{ lagMs: 80, others: 0.09 }, ['a worker was 80 ms late']],
  [
    { lagMs: 80, others: 0.6 },
    ['a worker was 80 ms late, while other programs used 60 % of this machine’s processors'],
  ],
  [{ others: 0.6 }, []],
])('a generator with %j is a bottleneck or not', (problem, expected) => {
  const healthy = { intended: 1_000, achieved: 999, cpu: 0.9, lagMs: 30 };
  expect(findBottlenecks({ ...healthy, ...problem }, { cpu: 0.95, lagMs: 50 })).toEqual(expected);
});
