import { describe, expect, test } from '@jest/globals';
import { readMeasured } from '../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../cost/assumptions/ranges.ts';
import { rangesOf } from '../../cost/assumptions/rangesOf.ts';
import { MILLION_HOURS } from '../../cost/docs/millionHours.ts';
import { parseWorkload } from '../../cost/model/workload.ts';
import { aLoad, aState } from '../testing/staged.ts';
import type { Measured } from './measured.ts';
import { takesOf } from './million.ts';

const assumed = { ...rangesOf(rangesFrom(readMeasured())).expected, frameBytes: 128 };
const workload = parseWorkload(MILLION_HOURS[0].workload);
const { parameters } = aState();
const base = aLoad({ clients: 5_000 });
const full = aLoad({
  clients: 20_000,
  tasks: 4,
  heartbeatsPerSecond: 20_000,
  openedPerSecond: 400,
  generatorCores: 0.5,
});
const takes = (more: Partial<Measured> = {}, coreFactor = 1) =>
  takesOf(workload, { base: { ...base, ...more }, full, parameters }, assumed, coreFactor);

describe('a million clients, worked by hand', () => {
  test('tasks carry their base capacity times the shares of a processor', () => {
    // 5,000 on a quarter are 20,000 on a whole one.
    expect(takes()).toMatchObject({ tasks: 50, clientsOfATask: 20_000, heartbeatsPerSecond: 1_000_000 });
    expect(takes({}, 2).tasks).toBe(100);
  });

  test('no task has more connections than the balancer has ports for', () => {
    expect(takes({ clients: 100_000 }).tasks).toBe(20);
  });

  test('units, generators, minutes and bits', () => {
    const { units, generators, startMinutes, openMinutes, gigabitsPerSecond } = takes();
    // A GB an hour each: heartbeats both ways; handshakes and data-syncs are little beside them.
    const heartbeats = (2 * 1e6 * 3_600 * (32 + 128)) / 1_024 ** 3;
    expect([units > heartbeats, units < 1.02 * heartbeats]).toEqual([true, true]);
    // 400 a second on four quarters are 400 on a whole one: 20,000 a second on 50.
    expect(openMinutes).toBeCloseTo(1_000_000 / 20_000 / 60, 6);
    // 20,000 a second took half a core: 28,000 by 70 % of one.
    expect(generators).toBe(36);
    expect(startMinutes).toBeCloseTo(0.1, 6);
    expect(gigabitsPerSecond).toBeCloseTo((1e6 * (32 + 128) * 8) / 1e9, 6);
  });

  test('the bill has each of them', () => {
    const { units, bill } = takes();
    const { items, total } = bill;
    expect(items.map(({ what, quantity }) => [what, Number(quantity.toFixed(1))])).toEqual([
      ['processors of tasks', 50],
      ['processors of generators', 36],
      ['memory of tasks', 100],
      ['memory of generators', 72],
      ['addresses of tasks, generators and the balancer', 88],
      ['the balancer', 1],
      ['its capacity units', Number(units.toFixed(1))],
      ['answers to heartbeats', 536.4],
    ]);
    expect(total).toBeCloseTo(86 * (0.04048 + 2 * 0.004445) + 88 * 0.005 + 0.0225 + units * 0.006 + 536.4 * 0.09, 1);
  });
});
