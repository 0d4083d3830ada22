import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemEffects } from './effects.ts';
import { retryUntil } from './retry.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A step that fails until a time, and the times of its attempts. */
function recovering(atMs: number) {
  const attempts: number[] = [];
  const step = async () => {
    attempts.push(Date.now());
    if (Date.now() < atMs) throw new Error(`not before ${atMs}`);
    return 'done';
  };
  return { attempts, step };
}

async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.all([Promise.allSettled([promise]), jest.advanceTimersByTimeAsync(120_000)]);
  return result[0];
}

describe('a step that fails', () => {
  test('is not tried again once it succeeds', async () => {
    const { attempts, step } = recovering(0);
    expect(await settle(retryUntil(systemEffects, 10_000, step))).toEqual({ status: 'fulfilled', value: 'done' });
    expect(attempts).toEqual([0]);
  });

  test('is tried again after longer and longer pauses', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { attempts, step } = recovering(8_000);
    expect(await settle(retryUntil(systemEffects, 20_000, step))).toMatchObject({ value: 'done' });
    expect(attempts).toEqual([0, 100, 400, 1_400, 4_400, 7_400, 10_400]);
  });

  test('does not begin another attempt after its time, and ends with the last error', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const { attempts, step } = recovering(60_000);
    expect(await settle(retryUntil(systemEffects, 4_399, step))).toMatchObject({
      reason: new Error('not before 60000'),
    });
    expect(attempts).toEqual([0, 100, 400, 1_400]);
  });

  test('is tried once where its time has passed already', async () => {
    const { attempts, step } = recovering(60_000);
    expect((await settle(retryUntil(systemEffects, -1, step))).status).toBe('rejected');
    expect(attempts).toEqual([0]);
  });

  test('is not tried again if the error is permanent', async () => {
    const { attempts, step } = recovering(60_000);
    expect((await settle(retryUntil(systemEffects, 20_000, step, () => false))).status).toBe('rejected');
    expect(attempts).toEqual([0]);
  });

  test('pauses by half more or less, so that many do not come at once', async () => {
    for (const [random, second] of [
      [0, 50],
      [0.999, 149],
    ] as const) {
      jest.setSystemTime(0);
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const { attempts, step } = recovering(40);
      await settle(retryUntil(systemEffects, 20_000, step));
      expect(Math.floor(attempts[1] as number)).toBe(second);
    }
  });
});
