import { expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { retryBusy } from './retryBusy.ts';

/** Sends a request that always fails, until it is given up. @returns the pauses between its attempts */
async function pauses(status: number | undefined): Promise<number[]> {
  const paused: number[] = [];
  const effects = { ...systemEffects, random: () => 0.5, pause: async (ms: number) => void paused.push(ms) };
  const send = async () => {
    throw new Error('refused');
  };
  await expect(retryBusy(effects, send, () => status)).rejects.toThrow('refused');
  return paused;
}

test.each([429, 500, 503, undefined])('a request that fails with %s is sent four times in all', async (status) => {
  expect(await pauses(status)).toEqual([100, 400, 1_600]);
});

test.each([300, 400, 403, 499])('one that fails with %s is sent once', async (status) => {
  expect(await pauses(status)).toEqual([]);
});
