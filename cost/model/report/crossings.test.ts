import { describe, expect, test } from '@jest/globals';
import { assumed, ranges } from '../../testing/assumed.ts';
import { parseWorkload, scaledTo } from '../workload/workload.ts';
import { choose, compare, costOf } from './compare.ts';
import { costCurve, crossings } from './crossings.ts';

const workload = parseWorkload({ connections: 100, newPerHour: 50, credits: 'unlimited' });
const found = crossings(workload, ranges, costCurve(workload, ranges));

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

  test('name the choice of the verdict on either side, and what speaks against the former choice', () => {
    const t2 = found.find(({ from }) => from === 't2');
    expect(t2?.reason).toMatch(/^is ruled out by the worst assumptions: holds at most 8,9\d\d connections/);
    expect(found[0]?.reason).toBe('costs more');
    for (const { from, to, connections } of found) {
      const choice = (at: number) => choose(compare(scaledTo(workload, at), ranges))?.architecture;
      expect([choice(connections * 0.998), choice(connections)]).toEqual([from, to]);
    }
  });

  test('leave out what cannot be done: one machine does not hold a million', () => {
    expect(costCurve(workload, ranges).at(-1)?.usd).not.toMatchObject({ t2: expect.anything() });
    expect(costCurve(workload, ranges).at(-1)?.usd.door).toBeUndefined();
    expect(found.map(({ to }) => to)).not.toContain('door');
  });

  test('are there for a workload without connections too', () => {
    const none = parseWorkload({});
    expect(crossings(none, ranges, costCurve(none, ranges)).length).toBeGreaterThan(0);
  });
});
