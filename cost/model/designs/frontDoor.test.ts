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
  test('has all connections on its machine, which runs all month', () => {
    for (const connections of [0, 50, 10_000]) {
      const workload = { connections, changesPerDay: 0, flags: 0 };
      expect(quantity(workload, 't4gMicroHour')).toBe(730);
      expect(quantity(workload, 'connectionMinute')).toBe(0);
    }
    expect(cost('door', { connections: 10_000 }).bill.total).toBeLessThan(60);
  });

  test('costs a machine, its parts, alarms, a dashboard, its state and the hint without connections', () => {
    const none = { connections: 0, changesPerDay: 0, flags: 0 };
    const more = cost('door', none).bill.total - cost('serverless', none).bill.total;
    expect(more).toBeGreaterThan(17.5);
    expect(more).toBeLessThan(18.5);
  });

  test('answers as many pings as serverless', () => {
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
