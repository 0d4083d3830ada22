import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { onSilence } from '../../../shared/runtime/effects.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { until } from '../../../shared/testing/until.ts';
import { LatestReading } from './latestReading.ts';

const at = (updatedAt: number) => ({ version: { updatedAt } }) as unknown as Reading;
const verified = (updatedAt: number): Reading => ({ ...at(updatedAt), verifiedAt: { ...clocks } });

async function microtasks(): Promise<void> {
  for (let n = 0; n < 20; n++) await Promise.resolve();
}

/** What the next reads give, and what was told of. */
let next: (() => Promise<Reading>)[] = [];
let told: (number | undefined)[][] = [];
let deleted = 0;
/** How often the saved reading was requested, and the versions that were reported as those of another environment. */
let recalled = 0;
let isTableLate = false;
let others: number[] = [];
let clocks = { now: 0, monotonic: 0 };
/** Timeouts that were not cancelled. Timers of other files in this process are none of these. */
let waits = 0;
beforeEach(() => {
  clocks = { now: 1_000_000, monotonic: 5_000 };
  next = [];
  told = [];
  deleted = 0;
  recalled = 0;
  isTableLate = false;
  others = [];
  waits = 0;
});

const latest = (lastKnown?: Reading) =>
  new LatestReading({
    effects: {
      now: () => clocks.now,
      monotonic: () => clocks.monotonic,
      pause: async () => {},
      onSilence: (ms, act) => {
        waits++;
        const cancel = onSilence(ms, act);
        return () => {
          waits--;
          cancel();
        };
      },
    },
    maxReadAgeMs: 90,
    read: () => (next.shift() as () => Promise<Reading>)(),
    lastKnown: () => {
      recalled++;
      return lastKnown;
    },
    isTableLate: () => isTableLate,
    onRead: (reading, before, isOther) => {
      told.push([reading.version.updatedAt, before?.version.updatedAt]);
      if (isOther) others.push(reading.version.updatedAt);
    },
    onDeleted: async () => {
      deleted++;
    },
  });

describe('the latest reading', () => {
  test('is replaced by newer ones only; those of the same version are told of, too', async () => {
    const reading = latest();
    next = [async () => at(2), async () => at(2), async () => at(1), async () => at(3)];
    for (let n = 0; n < 4; n++) expect(await reading.refresh()).toEqual({ reading: reading.current });
    expect(told).toEqual([
      [2, undefined],
      [2, 2],
      [3, 2],
    ]);
    expect(reading.current?.version.updatedAt).toBe(3);
  });

  test('knows when a change was met, which the first reading is not', async () => {
    const reading = latest();
    next = [async () => at(1), async () => at(1), async () => at(2)];
    await reading.refresh();
    await reading.refresh();
    expect(reading.changedAt).toBe(Number.NEGATIVE_INFINITY);
    clocks.monotonic = 7_000;
    await reading.refresh();
    expect(reading.changedAt).toBe(7_000);
  });

  test.each([
    ['is served if the table takes a second', at(1), false, 1_000],
    ['is an earlier process’s if the first read takes 3 s', undefined, false, 3_000],
    ['is an earlier process’s after a second if the table is late', undefined, true, 1_000],
  ])('%s, and replaced later', async (_, first, isLate, timeoutMs) => {
    jest.useFakeTimers();
    try {
      isTableLate = isLate;
      const { promise, resolve } = Promise.withResolvers<Reading>();
      const reading = latest(first ? undefined : at(1));
      next = [...(first ? [async () => first] : []), () => promise];
      if (first) await reading.refresh();
      let isDone = false;
      const outcome = reading.refresh().finally(() => {
        isDone = true;
      });
      await microtasks();
      jest.advanceTimersByTime(timeoutMs - 1);
      await microtasks();
      expect(isDone).toBe(false);
      // Fake immediates come a millisecond later. Bun's are real.
      jest.advanceTimersByTime(2);
      expect(await outcome).toEqual({
        reading: at(1),
        error: new Error(`the table did not answer within ${timeoutMs} ms`),
      });
      resolve(at(2));
      await microtasks();
      expect(reading.current?.version.updatedAt).toBe(2);
      expect(waits).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('is served within 100 ms after a read timed out, until one succeeds', async () => {
    jest.useFakeTimers();
    try {
      let reads = 0;
      const trial = Promise.withResolvers<Reading>();
      const reading = latest(at(1));
      const hang = () => {
        reads++;
        return new Promise<Reading>(() => {});
      };
      next = [
        hang,
        () => {
          reads++;
          return trial.promise;
        },
        async () => at(3),
      ];
      const first = reading.refresh();
      await microtasks();
      jest.advanceTimersByTime(3_001);
      expect((await first).error).toBeDefined();
      /** Calls of two data-syncs: the second waits for the read of the first, and for its own. */
      const syncs = async () => {
        const outcomes = [reading.refresh()];
        await microtasks();
        outcomes.push(reading.refresh());
        for (let n = 0; n < 2; n++) {
          jest.advanceTimersByTime(51);
          // Bun has no fake immediates.
          await turn();
        }
        return (await Promise.all(outcomes)).map(({ error }) => (error as Error | undefined)?.message);
      };
      const late = 'the table did not answer within 50 ms';
      for (const age of [200, 500, 999]) {
        clocks.monotonic = 5_000 + age;
        expect(await syncs()).toEqual([late, late]);
      }
      expect(reads).toBe(1);
      clocks.monotonic = 6_000;
      expect(await syncs()).toEqual([late, late]);
      expect(reads).toBe(2);
      trial.resolve(at(2));
      await microtasks();
      // A read that started before a call may lack writes: after its success the call reads again.
      expect(await reading.refresh()).toEqual({ reading: reading.current });
      expect(reading.current?.version.updatedAt).toBe(3);
      expect(waits).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('may take a second again once a read has succeeded', async () => {
    jest.useFakeTimers();
    try {
      const reading = latest(at(1));
      const late = Promise.withResolvers<Reading>();
      next = [() => late.promise];
      const first = reading.refresh();
      await microtasks();
      jest.advanceTimersByTime(3_001);
      await first;
      late.resolve(at(2));
      await microtasks();
      clocks.monotonic += 2_000;
      const slow = Promise.withResolvers<Reading>();
      next = [() => slow.promise];
      const outcome = reading.refresh();
      await microtasks();
      jest.advanceTimersByTime(900);
      await turn();
      slow.resolve(at(3));
      expect(await outcome).toEqual({ reading: reading.current });
      expect(reading.current?.version.updatedAt).toBe(3);
      // One read only.
      expect(next).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('is waited for if there is none, and fails with the table', async () => {
    const reading = latest();
    next = [() => Promise.reject(new Error('down')), async () => at(1)];
    await expect(reading.refresh()).rejects.toThrow('down');
    expect(await reading.refresh()).toEqual({ reading: reading.current });
  });

  test('is the saved one only after the table failed, which is then replaced', async () => {
    const reading = latest(at(9));
    next = [async () => at(5)];
    await reading.refresh();
    expect([recalled, reading.current]).toEqual([0, at(5)]);

    const later = latest(at(9));
    next = [() => Promise.reject(new Error('down')), async () => at(5), async () => at(6)];
    expect(await later.refresh()).toEqual({ reading: later.current, error: new Error('down') });
    expect([recalled, later.current]).toEqual([1, at(9)]);
    // The table was restored while no process ran.
    await later.refresh();
    expect([others, later.current]).toEqual([[5], at(5)]);
    await later.refresh();
    expect([others, recalled]).toEqual([[5], 1]);
  });

  test('goes back with a table that was restored in place, by a read sent a second later', async () => {
    const reading = latest();
    const slow = Promise.withResolvers<Reading>();
    next = [async () => at(9), async () => at(5), () => slow.promise, async () => ({ ...at(8), isPartial: true })];
    await reading.refresh();
    clocks.monotonic += 1_000;
    await reading.refresh();
    const sentEarly = reading.refresh();
    await microtasks();
    clocks.monotonic += 1;
    slow.resolve(at(5));
    await sentEarly;
    await reading.refresh();
    expect([others, reading.current]).toEqual([[], at(9)]);
    next = [async () => at(5)];
    await reading.refresh();
    expect([others, reading.current, reading.changedAt]).toEqual([[5], at(5), clocks.monotonic]);
  });

  test('is another environment’s if that began above it', async () => {
    const begunAt = (initial: number, updatedAt: number) => ({ version: { updatedAt, initial } }) as unknown as Reading;
    const reading = latest();
    next = [() => Promise.resolve(at(5)), async () => begunAt(6, 8), async () => begunAt(6, 9)];
    for (let n = 0; n < 3; n++) await reading.refresh();
    expect(others).toEqual([8]);
  });

  test('is absent for a deleted environment', async () => {
    const reading = latest(at(1));
    next = [() => Promise.reject(new NotFound('gone'))];
    await expect(reading.refresh()).rejects.toThrow(NotFound);
    expect(deleted).toBe(1);
  });
});

describe('a data-sync', () => {
  /** A reading of version 5 that was verified some time ago, and what the next read gives. @returns the reads it takes */
  async function readsAfter(
    pass: () => void,
    { cursor = 0, first = () => verified(5), second = () => verified(6) } = {},
  ) {
    const reading = latest();
    next = [async () => first()];
    await reading.refresh();
    pass();
    const before = told.length;
    next = [async () => second()];
    expect(await reading.catchUp(cursor)).toEqual({ reading: reading.current });
    await microtasks();
    return { reads: told.length - before, version: reading.current?.version.updatedAt };
  }
  const passed =
    (now: number, monotonic = now) =>
    () => {
      clocks = { now: clocks.now + now, monotonic: clocks.monotonic + monotonic };
    };

  test.each([
    ['at once, within the time that a read may be used', passed(59), {}, 0],
    ['from a read, after that time', passed(90), {}, 1],
    ['from a read, after the machine was suspended', passed(60_000, 10), {}, 1],
    ['from a read, after the wall clock was set back', passed(-1, 10), {}, 1],
    ['from a read, where the client has a newer version', passed(10), { cursor: 6 }, 1],
    ['at once, where the client has the same version', passed(10), { cursor: 5 }, 0],
    ['from a read, where the last one was not whole', passed(10), { first: () => at(5) }, 1],
  ])('is answered %s', async (_, pass, options, reads) => {
    expect(await readsAfter(pass, options)).toEqual({ reads, version: reads === 0 ? 5 : 6 });
  });

  test('is answered at once, and one read begins after two thirds of the time', async () => {
    const reading = latest();
    next = [async () => verified(5)];
    await reading.refresh();
    passed(60)();
    const { promise, resolve } = Promise.withResolvers<Reading>();
    let reads = 0;
    next = [
      () => {
        reads++;
        return promise;
      },
    ];
    for (let n = 0; n < 10; n++) expect(await reading.catchUp(0)).toEqual({ reading: reading.current });
    await until(() => reads === 1);
    const sent = { ...clocks };
    passed(50)();
    resolve({ ...at(6), verifiedAt: sent });
    await until(() => reading.current?.version.updatedAt === 6);
    // The next one is as old as its request, not as its reply.
    expect(await reading.catchUp(0)).toEqual({ reading: reading.current });
    expect(reads).toBe(1);
  });

  test('learns that the table is away only when it needs a read', async () => {
    const reading = latest();
    const down = async () => {
      throw new Error('down');
    };
    next = [async () => verified(5), down, down];
    await reading.refresh();
    passed(60)();
    expect(await reading.catchUp(0)).toEqual({ reading: reading.current });
    passed(30)();
    await new Promise(setImmediate);
    expect(await reading.catchUp(0)).toEqual({ reading: reading.current, error: new Error('down') });
  });

  test('is not answered from a read that an older version came from', async () => {
    const { reads } = await readsAfter(passed(90), { second: () => verified(4) });
    expect(reads).toBe(0);
    // It was read, and thrown away: the next one reads again.
    expect(next).toEqual([]);
  });
});
