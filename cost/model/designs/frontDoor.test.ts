import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assumed } from '../../testing/assumed.ts';
import { costOf } from '../report/compare.ts';
import { parseWorkload, type WorkloadInput } from '../workload/workload.ts';

const cost = (which: 'serverless' | 'door' | 't2', workload: WorkloadInput) =>
  costOf(which, parseWorkload(workload), assumed);
const quantity = (workload: WorkloadInput, wanted: string) =>
  cost('door', workload)
    .bill.items.filter(({ price, what }) => price === wanted || what === wanted)
    .reduce((sum, item) => sum + item.quantity, 0);

describe('the front door', () => {
  test('costs what serverless costs, its disk, alarms, a dashboard, its state and the hint, with few connections', () => {
    const few = { connections: 50, changesPerDay: 0, flags: 0 };
    expect(quantity(few, 't4gMicroHour')).toBe(0);
    const more = cost('door', few).bill.total - cost('serverless', few).bill.total;
    expect(more).toBeGreaterThan(3.95);
    expect(more).toBeLessThan(4.05);
  });

  test('has all connections on its machine, all month, with many', () => {
    const many = { connections: 10_000 };
    expect(quantity(many, 't4gMicroHour')).toBe(730);
    expect(quantity(many, 'connectionMinute')).toBe(0);
    expect(cost('door', many).bill.total).toBeLessThan(60);
  });

  test('runs its machine in busy hours, and half an hour longer each day', () => {
    const curve = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 18 ? 1 : 0.01));
    const office: WorkloadInput = { connections: 1_000, curve, days: 30 };
    expect(quantity(office, 't4gMicroHour')).toBeCloseTo(30 * 10.5, 9);
    expect(quantity(office, 'connectionMinute')).toBeCloseTo(30 * 14 * 10 * 60, 6);
  });

  test('answers as many pings as serverless, whichever part has the connections', () => {
    const pings = (which: 'serverless' | 'door', workload: WorkloadInput) =>
      cost(which, workload)
        .bill.items.filter(({ what, price }) => what === 'pongs' && /[dD]ataOut$/.test(price))
        .reduce((sum, item) => sum + item.quantity, 0);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const curves = fc.array(share, { minLength: 24, maxLength: 24 });
    const property = fc.property(curves, fc.integer({ min: 1, max: 2_000 }), (curve, connections) => {
      const workload: WorkloadInput = { connections, curve, newPerHour: connections };
      expect(pings('door', workload)).toBeCloseTo(pings('serverless', workload), 9);
    });
    fc.assert(property, { numRuns: 30 });
  });

  test('is ruled out by more connections than its machine holds', () => {
    expect(cost('door', { connections: 19_000 }).problems).toEqual([
      expect.stringMatching(/^its machine holds 1[78],\d{3} connections; the others would be on API Gateway$/),
    ]);
  });
});
