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

test('recent traffic is extrapolated to an hour and a day', () => {
  const recent = { windowMs: 300_000, opened: 10, syncs: 12, pushed: 4, changes: 1 };
  expect(liveWorkload(state(3, 1, recent), environment)).toEqual({
    region: 'us-east-1',
    connections: 4,
    newPerHour: 120,
    sdks: [
      { share: 0.75, pingSeconds: 18, type: 'client' },
      { share: 0.25, pingSeconds: 10, type: 'server' },
    ],
    flags: 5,
    flagBytes: 1_235,
    changesPerDay: 288,
  });
});

test.each([
  ['nobody', state(0, 0)],
  ['nobody any more', state(0, 0, { windowMs: 60_000, opened: 3, syncs: 3, pushed: 0, changes: 0 })],
  ['servers only', state(0, 7)],
])('the cost model takes it with %s', (_, live) =>
  expect(parseWorkload(liveWorkload(live, environment)).connections).toBe(live.connections.total),
);

describe('an estimate', () => {
  const observed = (windowMs: number) => state(1, 0, { windowMs, opened: 2, syncs: 2, pushed: 1, changes: 1 });

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

  test('counts the first seconds as a minute', () => {
    expect(liveWorkload(observed(5_000), environment)).toMatchObject({ newPerHour: 120, changesPerDay: 1_440 });
  });

  test('keeps the live ratio of new connections when connections are entered', () => {
    const live = controlsOf(parseWorkload(liveWorkload(observed(600_000), environment)));
    expect(withStarts(live, { connections: 10 }).newPerHour).toBeCloseTo(120, 9);
  });

  test('limits changes to the maximum of the cost model', () => {
    const busy = state(1, 0, { windowMs: 600_000, opened: 0, syncs: 0, pushed: 0, changes: 9_000 });
    expect(parseWorkload(liveWorkload(busy, environment)).changesPerDay).toBe(1_000_000);
  });
});
