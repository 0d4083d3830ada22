import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ARCHITECTURES, type Architecture, compare, costOf } from '../model/report/compare.ts';
import { idle } from '../model/report/report.ts';
import { CURVES } from '../model/workload/curve.ts';
import { parseWorkload, type Workload } from '../model/workload/workload.ts';
import { assumed, ranges } from '../testing/assumed.ts';
import { type Line, priceLines } from './bill.ts';
import { PRICE_KEYS } from './priceSheet.ts';
import { priceSheetOf, REGIONS } from './sheets.ts';
import { FREE_TIERS, tieredCost } from './tiers.ts';

const price = fc.constantFrom(...REGIONS.flatMap((region) => Object.values(priceSheetOf(region).prices)));
const region = fc.constantFrom(...REGIONS);
const architecture = fc.constantFrom(...(Object.keys(ARCHITECTURES) as Architecture[]));

/** A workload of any kind, with somebody connected. */
const workload: fc.Arbitrary<Workload> = fc
  .record({
    region,
    connections: fc.integer({ min: 1, max: 2_000_000 }),
    curve: fc.constantFrom(...(Object.keys(CURVES) as (keyof typeof CURVES)[])),
    newPerHour: fc.integer({ min: 0, max: 5_000_000 }),
    pingSeconds: fc.integer({ min: 1, max: 600 }),
    type: fc.constantFrom('client' as const, 'server' as const),
    flags: fc.integer({ min: 0, max: 1_000 }),
    flagBytes: fc.integer({ min: 100, max: 20_000 }),
    changesPerDay: fc.integer({ min: 0, max: 1_000 }),
    eventsPerHour: fc.integer({ min: 0, max: 1_000 }),
    freeTier: fc.constantFrom(...FREE_TIERS),
    credits: fc.constantFrom('standard' as const, 'unlimited' as const),
    servers: fc.constantFrom('always' as const, 'hourly' as const),
  })
  .map(({ pingSeconds, type, ...rest }) => parseWorkload({ ...rest, sdks: [{ share: 1, pingSeconds, type }] }));

describe('a tiered price', () => {
  test('does not jump at the border of a tier, and never falls', () => {
    for (const each of REGIONS.flatMap((name) => Object.values(priceSheetOf(name).prices))) {
      for (const { upTo } of each.tiers) {
        if (upTo === undefined) continue;
        const [below, at, above] = [upTo * (1 - 1e-9), upTo, upTo * (1 + 1e-9)].map((n) => tieredCost(each, n)) as [
          number,
          number,
          number,
        ];
        expect(at - below).toBeLessThanOrEqual(1e-8 * at);
        expect(above - at).toBeLessThanOrEqual(1e-8 * at);
        expect(below).toBeLessThanOrEqual(at);
        expect(at).toBeLessThanOrEqual(above);
      }
    }
  });

  test('is 0 for a quantity of 0', () => {
    fc.assert(fc.property(price, (each) => expect(tieredCost(each, 0)).toBe(0)));
  });
});

describe('a bill', () => {
  const line = fc.record({
    price: fc.constantFrom(...PRICE_KEYS),
    quantity: fc.double({ min: 0, max: 1e10, noNaN: true }),
  });
  const lines: fc.Arbitrary<Line[]> = fc.array(
    line.map((each) => ({ ...each, purpose: 'syncs' as const, what: 'x' })),
    { maxLength: 20 },
  );

  test('is the sum of its items, however a quantity is divided among lines', () => {
    fc.assert(
      fc.property(lines, region, fc.constantFrom(...FREE_TIERS), (some, where, freeTier) => {
        const sheet = priceSheetOf(where);
        const { items, total } = priceLines(some, sheet, freeTier);
        expect(items.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(total, 6);
        const halves = some.flatMap((each) =>
          Array.from({ length: 2 }, () => ({ ...each, quantity: each.quantity / 2 })),
        );
        expect(Math.abs(priceLines(halves, sheet, freeTier).total - total)).toBeLessThanOrEqual(
          1e-9 * Math.max(1, total),
        );
      }),
    );
  });

  test('is no larger with free allowances than without', () => {
    fc.assert(
      fc.property(lines, region, (some, where) => {
        const [none, always] = FREE_TIERS.map((tier) => priceLines(some, priceSheetOf(where), tier).total) as [
          number,
          number,
        ];
        expect(always).toBeLessThanOrEqual(none * (1 + 1e-12));
      }),
    );
  });
});

describe('a month', () => {
  const total = (which: Architecture, load: Workload) => costOf(which, load, assumed).bill.total;

  test('never gets cheaper with more to do', () => {
    const more = fc.constantFrom(
      (load: Workload) => ({ ...load, connections: load.connections * 1.5 }),
      (load: Workload) => ({ ...load, newPerHour: load.newPerHour * 1.5 + 10 }),
      (load: Workload) => ({ ...load, changesPerDay: load.changesPerDay + 10 }),
      (load: Workload) => ({ ...load, eventsPerHour: load.eventsPerHour + 10 }),
      (load: Workload) => ({ ...load, flags: load.flags + 10 }),
      (load: Workload) => ({ ...load, sdks: load.sdks.map((sdk) => ({ ...sdk, pingSeconds: sdk.pingSeconds / 2 })) }),
    );
    fc.assert(
      fc.property(architecture, workload, more, (which, load, grow) => {
        const [before, after] = [total(which, load), total(which, grow(load))];
        expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-9));
      }),
      { numRuns: 500 },
    );
  });

  test('lies between the low and the high one', () => {
    fc.assert(
      fc.property(workload, (load) => {
        for (const { low, high, bill, isPossible } of compare(load, ranges)) {
          if (!isPossible) {
            expect(high).toBe(Number.POSITIVE_INFINITY);
            continue;
          }
          expect(low).toBeLessThanOrEqual(bill.total * (1 + 1e-12));
          expect(high).toBeGreaterThanOrEqual(bill.total * (1 - 1e-12));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('with nothing to do costs the standing items only', () => {
    fc.assert(
      fc.property(architecture, workload, (which, load) => {
        const { items } = costOf(which, idle(load), assumed).bill;
        for (const { purpose, usd, what } of items) if (purpose !== 'machines') expect([what, usd]).toEqual([what, 0]);
      }),
    );
  });

  test('used in two halves costs, before tiers, what it costs used at once', () => {
    fc.assert(
      fc.property(workload, fc.double({ min: 0.5, max: 15, noNaN: true }), (load, days) => {
        const quantity = (over: number) =>
          costOf('serverless', { ...load, days: over }, assumed)
            .bill.items.filter(({ purpose }) => purpose !== 'machines')
            .map((item) => item.quantity);
        const [whole, first, second] = [quantity(2 * days), quantity(days), quantity(days)] as [
          number[],
          number[],
          number[],
        ];
        whole.forEach((each, index) => {
          const sum = (first[index] ?? 0) + (second[index] ?? 0);
          expect(Math.abs(each - sum)).toBeLessThanOrEqual(1e-9 * Math.max(1, each));
        });
      }),
    );
  });
});
