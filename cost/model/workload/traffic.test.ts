import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { opensOf, trafficOf } from './traffic.ts';
import { countSteps, replySteps } from './units.ts';
import { parseWorkload } from './workload.ts';

describe('connections that API Gateway sees opened', () => {
  test('are those of applications where they are short, and one in two hours where they stay', () => {
    expect(opensOf({ held: 100, started: 0 })).toBe(50);
    expect(opensOf({ held: 1, started: 1_000 })).toBeCloseTo(1_000, 9);
    expect(opensOf({ held: 0, started: 5 })).toBe(5);
    expect(opensOf({ held: 0, started: 0 })).toBe(0);
  });

  test('are no fewer than either, no more than both together, and grow with both', () => {
    const number = fc.double({ min: 1e-3, max: 1e7, noNaN: true });
    fc.assert(
      fc.property(number, number, fc.double({ min: 1, max: 10, noNaN: true }), (held, started, factor) => {
        const opens = opensOf({ held, started });
        expect(opens).toBeGreaterThanOrEqual(Math.max(started, held / 2) * (1 - 1e-9));
        expect(opens).toBeLessThanOrEqual((started + held / 2) * (1 + 1e-9));
        expect(opensOf({ held: held * factor, started })).toBeGreaterThanOrEqual(opens * (1 - 1e-9));
        expect(opensOf({ held, started: started * factor })).toBeGreaterThanOrEqual(opens * (1 - 1e-9));
      }),
    );
  });

  test('agree with a simulation of connections that end at random', () => {
    const [held, started] = [1_000, 400];
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const lives = Array.from({ length: 200_000 }, () => -Math.log(random()) * (held / started));
    const opensEach = lives.reduce((sum, life) => sum + Math.ceil(life / 2), 0) / lives.length;
    expect(opensOf({ held, started }) / started).toBeCloseTo(opensEach, 1);
  });
});

describe('a workload', () => {
  test('amounts to what its hours do', () => {
    const workload = parseWorkload({
      connections: 100,
      curve: [
        ...Array.from({ length: 12 }, () => 0),
        ...Array.from({ length: 6 }, () => 1),
        ...Array.from({ length: 6 }, () => 0.5),
      ],
      days: 10,
      newPerHour: 60,
      sdks: [
        { share: 0.5, pingSeconds: 10, type: 'server' },
        { share: 0.5, pingSeconds: 18, type: 'client' },
      ],
      changesPerDay: 4,
      eventsPerHour: 3,
    });
    const traffic = trafficOf(workload);
    // Twelve hours a day: six with 100, six with 50.
    expect(traffic.hours).toHaveLength(12);
    expect(traffic.activeHours).toBe(120);
    expect(traffic.connectionHours).toBe(9_000);
    // 80 in an hour with 100 and 40 in one with 50; but in the first hour all 100 come.
    expect(traffic.hours.map(({ started }) => Math.round(started))).toEqual([
      100, 80, 80, 80, 80, 80, 40, 40, 40, 40, 40, 40,
    ]);
    expect(traffic.starts).toBeCloseTo(7_400, 6);
    expect(traffic.pings).toBeCloseTo(9_000 * (0.5 * 360 + 0.5 * 200), 6);
    expect(traffic.events).toBe(27_000);
    // 37.5 are connected on average, to whom each of 40 changes goes.
    expect(traffic.pushes).toBeCloseTo(40 * 37.5, 6);
  });

  test('with nobody connected amounts to its changes', () => {
    expect(trafficOf(parseWorkload({ changesPerDay: 2 }))).toMatchObject({ hours: [], connectionHours: 0, pushes: 0 });
  });
});

describe('an answer', () => {
  test.each([
    ['client', 0, 400, 1],
    ['client', 81, 400, 1],
    ['client', 82, 400, 2],
    ['server', 60, 2_000, 4],
    // Beyond 128 KB: 65 flags fit the first message, the others come one by one.
    ['server', 100, 2_000, 4 + 35],
    ['client', 1_000, 400, 13],
  ] as const)('to a %s SDK with %i flags of %i bytes counts as %i messages', (type, flags, bytes, steps) => {
    expect(replySteps(type, flags, bytes)).toBe(steps);
  });

  test('counts an empty answer as a message', () =>
    expect([countSteps(0), countSteps(32_768), countSteps(32_769)]).toEqual([1, 1, 2]));
});
