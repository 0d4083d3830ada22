import { describe, expect, test } from '@jest/globals';
import { parseWorkload } from '../../../cost/model/workload/workload.ts';
import type { LiveState } from '../../live.ts';
import { controlsOf, withStarts } from './controls.ts';
import { liveWorkload, minutesObserved } from './liveWorkload.ts';

const environment = { flags: 5, flagBytes: 1_234.5, region: 'us-east-1' as const };
const state = (client: number, server: number, recent?: LiveState['recent']): LiveState => ({
  type: 'state',
  at: 0,
  source: 'traffic',
  connections: { total: client + server, isAtLeast: false, byType: { client, server, relay: 0 } },
  ...(recent ? { recent } : {}),
});

test('extrapolates recent traffic to an hour, and takes changes a day from 7 days', () => {
  const recent = { windowMs: 600_000, opened: 20, syncs: 22, pushed: 4 };
  expect(liveWorkload(state(3, 1, recent), environment, 8)).toEqual({
    region: 'us-east-1',
    connections: 4,
    newPerHour: 120,
    sdks: [
      { share: 0.75, pingSeconds: 18, type: 'client' },
      { share: 0.25, pingSeconds: 10, type: 'server' },
    ],
    flags: 5,
    flagBytes: 1_235,
    changesPerDay: 1.1,
  });
});

test.each([
  ['nobody', state(0, 0)],
  ['nobody any more', state(0, 0, { windowMs: 60_000, opened: 3, syncs: 3, pushed: 0 })],
  ['servers only', state(0, 7)],
])('the cost model takes it with %s', (_, live) =>
  expect(parseWorkload(liveWorkload(live, environment, 0)).connections).toBe(live.connections.total),
);

describe('an estimate', () => {
  const observed = (windowMs: number) => state(1, 0, { windowMs, opened: 2, syncs: 2, pushed: 1 });

  test.each([
    [0, 0],
    [59_999, 0],
    [200_000, 3],
    [599_999, 9],
    [600_000, 10],
    [900_000, 10],
  ])('counts its minutes to ten: after %i ms it has %i of them', (windowMs, minutes) => {
    expect(minutesObserved(observed(windowMs))).toBe(minutes);
  });

  test('is not provisional without access to metrics', () => {
    expect(minutesObserved(state(1, 0))).toBe(10);
  });

  test('has the default of the cost model for new connections during ten minutes', () => {
    expect(liveWorkload(observed(599_999), environment, 0)).not.toHaveProperty('newPerHour');
    expect(liveWorkload(observed(600_000), environment, 0)).toMatchObject({ newPerHour: 12 });
  });

  test('keeps the live ratio of new connections when connections are entered', () => {
    const live = controlsOf(parseWorkload(liveWorkload(observed(600_000), environment, 0)));
    expect(withStarts(live, { connections: 10 }).newPerHour).toBeCloseTo(120, 9);
  });

  test('has the default of the cost model for changes that are not known', () => {
    expect(liveWorkload(observed(5_000), environment, undefined)).not.toHaveProperty('changesPerDay');
  });
});
