import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { NotFound } from '../../shared/store/errors.ts';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { LatestReading } from './latestReading.ts';

const at = (updatedAt: number) => ({ version: { updatedAt } }) as unknown as Reading;

async function microtasks(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

/** What the next reads give, and what was told of. */
let next: (() => Promise<Reading>)[] = [];
let told: (number | undefined)[][] = [];
let deleted = 0;
beforeEach(() => {
  next = [];
  told = [];
  deleted = 0;
});

const latest = (lastKnown?: Reading) =>
  new LatestReading(
    {
      read: () => (next.shift() as () => Promise<Reading>)(),
      onRead: (reading, before) => told.push([reading.version.updatedAt, before?.version.updatedAt]),
      onDeleted: async () => {
        deleted++;
      },
    },
    lastKnown,
  );

describe('the latest reading', () => {
  test('is replaced by newer ones only; those of the same version are told of, too', async () => {
    const reading = latest();
    next = [async () => at(2), async () => at(2), async () => at(1), async () => at(3)];
    for (let n = 0; n < 4; n++) expect(await reading.refresh()).toEqual({});
    expect(told).toEqual([
      [2, undefined],
      [2, 2],
      [3, 2],
    ]);
    expect(reading.current.version.updatedAt).toBe(3);
  });

  test('knows when a change was met, which the first reading is not', async () => {
    const reading = latest();
    next = [async () => at(1), async () => at(1), async () => at(2)];
    await reading.refresh();
    await reading.refresh();
    expect(reading.changedAt).toBe(Number.NEGATIVE_INFINITY);
    const before = performance.now();
    await reading.refresh();
    expect(reading.changedAt).toBeGreaterThanOrEqual(before);
  });

  test('is served as it is when the table does not answer within a second, and replaced when it does', async () => {
    jest.useFakeTimers();
    try {
      const { promise, resolve } = Promise.withResolvers<Reading>();
      const reading = latest(at(1));
      next = [() => promise];
      const outcome = reading.refresh();
      await microtasks();
      // Fake immediates come a millisecond later.
      jest.advanceTimersByTime(1_001);
      expect((await outcome).error).toEqual(new Error('the table did not answer within 1000 ms'));
      expect(reading.current.version.updatedAt).toBe(1);
      resolve(at(2));
      await microtasks();
      expect(reading.current.version.updatedAt).toBe(2);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('that there never was is waited for, and fails with the table', async () => {
    const reading = latest();
    next = [() => Promise.reject(new Error('down')), async () => at(1)];
    await expect(reading.refresh()).rejects.toThrow('down');
    expect(await reading.refresh()).toEqual({});
  });

  test('of an environment that is gone is none', async () => {
    const reading = latest(at(1));
    next = [() => Promise.reject(new NotFound('gone'))];
    await expect(reading.refresh()).rejects.toThrow(NotFound);
    expect(deleted).toBe(1);
  });
});
