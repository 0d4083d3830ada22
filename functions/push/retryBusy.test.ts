import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { retryBusy } from './retryBusy.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Sends a request that always fails, until it is given up. @returns how often it was sent */
async function attempts(status: number | undefined): Promise<number> {
  let sent = 0;
  const send = async () => {
    sent++;
    throw new Error('refused');
  };
  const given = expect(retryBusy(send, () => status)).rejects.toThrow('refused');
  await jest.runAllTimersAsync();
  await given;
  return sent;
}

test.each([429, 500, 503, undefined])('a request that fails with %s is sent four times in all', async (status) => {
  expect(await attempts(status)).toBe(4);
});

test.each([300, 400, 403, 499])('one that fails with %s is sent once', async (status) => {
  expect(await attempts(status)).toBe(1);
});
