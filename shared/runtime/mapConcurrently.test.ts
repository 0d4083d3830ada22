import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { mapConcurrently } from './mapConcurrently.ts';

const ITEMS = Array.from({ length: 100 }, (_, n) => n);

test('calls at most 16 at the same time, and returns the results in order', async () => {
  let [running, most] = [0, 0];
  const results = await mapConcurrently(ITEMS, async (n) => {
    most = Math.max(most, ++running);
    for (let pause = n % 3; pause >= 0; pause--) await setImmediate();
    running--;
    return n * 2;
  });
  expect(results).toEqual(ITEMS.map((n) => n * 2));
  expect(most).toBe(16);
  expect(await mapConcurrently([], async () => 1)).toEqual([]);
});

test('throws the first failure and starts no further call', async () => {
  const begun: number[] = [];
  const calls = mapConcurrently(ITEMS, async (n) => {
    begun.push(n);
    await setImmediate();
    if (n === 3) throw new Error('down');
  });
  await expect(calls).rejects.toThrow('down');
  for (let pause = 0; pause < 10; pause++) await setImmediate();
  expect(begun.length).toBeLessThanOrEqual(32);
});
