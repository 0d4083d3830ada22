import { expect, test } from '@jest/globals';
import { line, priceLines } from './bill.ts';
import { hostMeters, SERVERLESS_METERS } from './meters.ts';
import { priceSheetOf } from './sheets.ts';

test.each([
  ['a million messages', { MessageCount: 1e6 }, 1],
  ['a million minutes, in milliseconds', { 'websocket.connections.duration': 60e9 }, 0.25],
  ['a million HTTP requests', { Count: 1e6 }, 1],
  ['a million calls of each of eight functions', { Invocations: 1e6 }, 1.6],
  // Four with half a GB, two with a quarter, and publish and deliver with the memory of a whole processor.
  ['a thousand seconds of each', { Duration: 1e6 }, 1_000 * (2.5 + (2 * 1_769) / 1_024) * 13.3334e-6],
  ['a million read units of each table', { ConsumedReadCapacityUnits: 1e6 }, 0.25],
  ['a million write units of each table', { ConsumedWriteCapacityUnits: 1e6 }, 1.25],
  ['a million messages sent', { NumberOfMessagesSent: 1e6 }, 0.5],
  ['a million polls for nothing', { NumberOfEmptyReceives: 1e6 }, 0.5],
  ['a GB of each of ten logs', { IncomingBytes: 1024 ** 3 }, 5],
  ['a million events of 5 KB', { IncomingRecords: 1e6 }, (1e6 * 5_120 * 0.029) / 1024 ** 3],
  ['an hour of a core beyond its credits', { CPUSurplusCreditsCharged: 60 }, 0.05],
  // 24 hours at $0.0116 and $0.005, and a day's part of 8 GB at $0.08 and 14 metrics at $0.30.
  ['a day of a machine', { CPUUtilization: 1_440 }, 24 * 0.0166 + ((0.64 + 4.2) * 24) / 730],
] as const)('%s is priced as the price page says', (_, used: Record<string, number>, usd) => {
  const meters = [...SERVERLESS_METERS, ...hostMeters('t2MicroHour', 't2SurplusHour')];
  const lines = meters.map(({ price, metric, each }) => line(price, 'machines', metric, (used[metric] ?? 0) * each));
  expect(priceLines(lines, priceSheetOf('us-east-1')).total).toBeCloseTo(usd, 9);
});
