import { expect, test } from '@jest/globals';
import { type DeliveryResult, sectionOf, wholeMs } from './result.ts';

const call = (wallMs: number, isKilled = false) => ({ wallMs, cpuMs: 100, isFailed: isKilled, isKilled });
const shards = [[call(1_000)], [call(4_000), call(500)], [call(2_000)]];

test('the whole is the time of shards that are served side by side, and of what is hidden after a kill', () => {
  const limits = { timeoutMs: 30_000, groups: 2 };
  expect(wholeMs({ shards }, limits)).toBe(4_500);
  expect(wholeMs({ shards }, { ...limits, groups: 1 })).toBe(7_500);
  expect(wholeMs({ shards: [[call(30_000, true), call(1_000)]] }, limits)).toBe(30_000 + 180_000 + 1_000);
});

test('the section shows what was sent twice, what was killed, and what is computed', () => {
  const result: DeliveryResult = {
    at: '2026-11-22T00:00:00.000Z',
    commit: 'abc',
    machine: { cpu: 'a processor', cores: 2, memoryBytes: 1, node: 'v24' },
    connections: 2_000,
    latencyMs: 12,
    memoryMb: 1_769,
    timeoutMs: 30_000,
    groups: 2,
    processor: 'held to it',
    othersLoad: 5,
    deliveries: [{ postsPerSecond: 1_000, shards, received: { messages: 2_003, connections: 2_000 } }],
  };
  const section = sectionOf(result);
  for (const row of [
    '| connections that got it | 15,954 of 62,500 | 2,000 |',
    '| messages sent twice | 15,954 with each of ten attempts | 3 |',
    '| calls | each was killed | 4, 0 of them killed |',
    '| processor a message | 0.78 ms | 0.20 ms |',
    '| all have it after (computed) | never; tried again every 360 s | 4.5 s |',
  ]) {
    expect(section).toContain(row);
  }
  expect(section).toContain('load average was 5.0 on 2 processors before it began: others took part of its time');
  expect(sectionOf({ ...result, othersLoad: 0.5 })).not.toContain('others took part');
});
