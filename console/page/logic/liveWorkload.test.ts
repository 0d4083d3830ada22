import { expect, test } from '@jest/globals';
import { parseWorkload } from '../../../cost/model/workload.ts';
import type { LiveState } from '../../live.ts';
import { liveWorkload } from './liveWorkload.ts';

const environment = { flags: 5, flagBytes: 1_234.5, region: 'us-east-1' as const };
const state = (client: number, server: number, recent?: LiveState['recent']): LiveState => ({
  type: 'state',
  at: 0,
  source: 'traffic',
  connections: { total: client + server, isAtLeast: false, byType: { client, server, relay: 0 }, bySdk: [] },
  ...(recent ? { recent } : {}),
});

test('what passed recently is stretched to an hour and a day', () => {
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
