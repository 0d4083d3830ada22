import { expect, test } from '@jest/globals';
import { elapse, systemEffects } from './effects.ts';

test('time elapses by the clock, though timers fire early', async () => {
  let clock = 7_000;
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    clock += ms > 1 ? ms / 2 : ms;
  };
  await elapse({ monotonic: () => clock, pause }, 8);
  expect([pauses, clock]).toEqual([[8, 4, 2, 1], 7_008]);
});

test('never waits shorter than asked on this machine', async () => {
  const begin = systemEffects.monotonic();
  await Promise.all(Array.from({ length: 20 }, () => systemEffects.elapse(3)));
  expect(systemEffects.monotonic() - begin).toBeGreaterThanOrEqual(3);
});
