import { beforeEach, describe, expect, test } from '@jest/globals';
import { Freshness } from './freshness.ts';
import { type ManualClock, manualClock, settle } from './testing/clock.ts';

let clock: ManualClock;
let freshness: Freshness;
/** Reads that wait for their answers, in the order in which they were sent. */
let reads: { succeed(): void; fail(error?: Error): void }[] = [];
let sent = 0;
/** Numbers of the reads whose flags were put in place. */
let log: number[] = [];

function start(maxAgeMs = 5_000): void {
  clock = manualClock();
  [reads, sent, log] = [[], 0, []];
  freshness = new Freshness({
    read: () => {
      const number = ++sent;
      return new Promise((resolve, reject) => {
        const succeed = () => resolve(async () => void log.push(number));
        reads.push({ succeed, fail: (error = new Error('away')) => reject(error) });
      });
    },
    maxAgeMs,
    waitMs: 250,
    effects: clock,
    onFailure: () => {},
    onSuccess: () => {},
  });
}

beforeEach(() => start());

/** Asks for fresh flags, and answers the read. */
async function readOnce(outcome: 'succeed' | 'fail' = 'succeed'): Promise<boolean> {
  const asked = freshness.refresh();
  await settle();
  reads.at(-1)?.[outcome]();
  return asked;
}

describe('flags', () => {
  test('are fresh for their maximum age, counted from when their read was sent', async () => {
    expect(freshness.isFresh).toBe(false);
    const asked = freshness.refresh();
    await clock.pass(200);
    reads[0]?.succeed();
    expect(await asked).toBe(true);
    await clock.pass(4_800);
    expect(freshness.isFresh).toBe(true);
    await clock.pass(1);
    expect(freshness.isFresh).toBe(false);
  });

  test('are not fresh after the wall clock was set back', async () => {
    await readOnce();
    clock.setBack(60_000);
    expect(freshness.isFresh).toBe(false);
  });

  test('are not replaced by those of a read that was sent earlier', async () => {
    const first = freshness.refresh();
    await clock.pass(6_000);
    const second = freshness.refresh();
    await settle();
    reads[1]?.succeed();
    expect([await first, await second]).toEqual([false, true]);
    reads[0]?.succeed();
    await settle();
    expect(log).toEqual([2]);
  });
});

describe('evaluations at the same time', () => {
  test('share one read', async () => {
    const asked = Array.from({ length: 1_000 }, () => freshness.refresh());
    await settle();
    reads[0]?.succeed();
    expect((await Promise.all(asked)).every(Boolean)).toBe(true);
    expect(sent).toBe(1);
  });

  test('do not share a read that was sent too early, as in a process that was frozen', async () => {
    const before = freshness.refresh();
    await clock.pass(5_001);
    expect(await before).toBe(false);
    const after = freshness.refresh();
    await settle();
    reads[0]?.succeed();
    await settle();
    expect([sent, freshness.isFresh]).toEqual([2, false]);
    reads[1]?.succeed();
    expect(await after).toBe(true);
  });

  test('share a read that is sent later where two are without an answer', async () => {
    for (let n = 0; n < 2; n += 1) {
      void freshness.refresh();
      await clock.pass(5_001);
    }
    const asked = [freshness.refresh(), freshness.refresh()];
    await settle();
    expect(sent).toBe(2);
    reads[0]?.fail();
    await settle();
    expect(sent).toBe(3);
    reads[2]?.succeed();
    expect(await Promise.all(asked)).toEqual([true, true]);
  });
});

test('an evaluation waits for a read until it was sent 250 ms ago, and later ones do not wait again', async () => {
  let isOver = false;
  const asked = freshness.refresh().finally(() => {
    isOver = true;
  });
  await clock.pass(249);
  expect(isOver).toBe(false);
  await clock.pass(1);
  expect([isOver, await asked, await freshness.refresh(), sent]).toEqual([true, false, false, 1]);
});

test('flags are read again after a pause of 0.25 s, which doubles up to 15 s', async () => {
  await readOnce('fail');
  const pauses: number[] = [];
  for (let pause = 0; pauses.length < 8; pause += 250) {
    const before = sent;
    const asked = freshness.refresh();
    await settle();
    if (sent > before) {
      reads.at(-1)?.fail();
      pauses.push(pause);
      pause = 0;
    }
    expect(await asked).toBe(false);
    await clock.pass(250);
  }
  expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
});

test('reads before a call that expires them do not count, also those in progress', async () => {
  await readOnce();
  freshness.expire();
  expect(freshness.isFresh).toBe(false);
  const first = freshness.refresh();
  freshness.expire();
  const second = freshness.refresh();
  await settle();
  expect(sent).toBe(3);
  for (const read of reads) read.succeed();
  expect([await first, await second]).toEqual([true, true]);
});
