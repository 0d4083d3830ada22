import { describe, expect, test } from '@jest/globals';
import { assumed } from '../testing/assumed.ts';
import { costOf } from './compare.ts';
import { breakEven, costCurve, crossings } from './crossings.ts';
import { parseWorkload, scaledTo } from './workload.ts';

const workload = parseWorkload({ connections: 100, newPerHour: 50, credits: 'unlimited' });
const found = crossings(workload, assumed, costCurve(workload, assumed));

describe('crossings', () => {
  test('begin with serverless, go up, and join', () => {
    expect(found[0]?.from).toBe('serverless');
    found.forEach(({ from, connections }, index) => {
      const before = found[index - 1];
      if (!before) return;
      expect(from).toBe(before.to);
      expect(connections).toBeGreaterThan(before.connections);
    });
  });

  test('are where both cost the same, and the other way round on either side', () => {
    const [{ from, to, connections, usd } = { from: 'serverless', to: 't2', connections: 0, usd: 0 } as const] = found;
    const cost = (which: typeof from, at: number) => costOf(which, scaledTo(workload, at), assumed).bill.total;
    expect(cost(to, connections)).toBeCloseTo(usd, 6);
    expect(cost(from, connections) / usd).toBeCloseTo(1, 2);
    expect(cost(from, connections * 0.99)).toBeLessThan(cost(to, connections * 0.99));
    expect(cost(from, connections * 1.01)).toBeGreaterThan(cost(to, connections * 1.01));
  });

  test('leave out what cannot be done: one t2.micro does not hold a million', () => {
    expect(costCurve(workload, assumed).at(-1)?.usd.t2).toBeUndefined();
    expect(found.at(-1)?.to).not.toBe('t2');
  });

  test('are there for a workload without connections too', () => {
    const none = parseWorkload({});
    expect(crossings(none, assumed, costCurve(none, assumed)).length).toBeGreaterThan(0);
  });
});

test('a break-even is where two lines meet; there is none where they never do', () => {
  expect(
    breakEven(
      (at) => at,
      () => 1_000,
    ),
  ).toBeCloseTo(1_000, -1);
  expect(
    breakEven(
      () => 1,
      () => 2,
    ),
  ).toBeUndefined();
  expect(
    breakEven(
      () => 2,
      () => 1,
    ),
  ).toBe(1);
});
