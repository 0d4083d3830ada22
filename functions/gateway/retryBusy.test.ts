import { expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { retryBusy } from './retryBusy.ts';

/** Sends a request that always fails, until it is given up. @returns the pauses between its attempts */
async function pauses(status: number | undefined, forMs?: number): Promise<number[]> {
  const paused: number[] = [];
  let clock = 7;
  const pause = async (ms: number) => {
    paused.push(ms);
    clock += ms;
  };
  const effects = { ...systemEffects, now: () => clock, random: () => 0.5, pause };
  const send = async () => {
    throw new Error('refused');
  };
  await expect(retryBusy(effects, send, () => status, forMs && 7 + forMs)).rejects.toThrow('refused');
  return paused;
}

test.each([429, 500, 503, undefined])('a request that fails with %s is sent four times in all', async (status) => {
  expect(await pauses(status)).toEqual([100, 400, 1_600]);
});

test.each([300, 400, 403, 499])('sends a request that fails with %s once', async (status) => {
  expect(await pauses(status)).toEqual([]);
});

test('sends with growing pauses until the deadline', async () => {
  expect(await pauses(429, 10_000)).toEqual([100, 400, 1_600, 3_200, 3_200]);
  expect(await pauses(429, 2_099)).toEqual([100, 400]);
  expect(await pauses(403, 10_000)).toEqual([]);
});
