import { expect, test } from '@jest/globals';
import { designCosts } from './designCosts.ts';

test('costs are differences of bills: a month held is more than one without clients', () => {
  for (const architecture of ['serverless', 't2', 'fargate'] as const) {
    const { heldMonth, millionSyncs, change, idleMonth } = designCosts(architecture);
    expect(heldMonth).toBeGreaterThan(idleMonth);
    expect(millionSyncs).toBeGreaterThan(0);
    expect(change).toBeGreaterThan(0);
  }
});

test('pings of 10,000 connections cost most of a serverless month, and no machine time', () => {
  const pings = (10_000 * 730 * 3_600) / 18;
  // Two messages each, at the first and second tier's price for a million (cost/prices/us-east-1.json).
  const [least, most] = [(2 * pings * 0.8) / 1e6, (2 * pings * 1) / 1e6];
  const month = designCosts('serverless').heldMonth ?? 0;
  expect(month).toBeGreaterThan(least);
  expect(month).toBeLessThan(most);
  expect(designCosts('t2').heldMonth).toBeLessThan(month / 10);
});
