import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { BodyRefusal } from '../../http/body.ts';
import { createBodyBudget } from './bodyBudget.ts';

let budget: ReturnType<typeof createBodyBudget>;

beforeEach(() => {
  jest.useFakeTimers();
  budget = createBodyBudget(100, 40_000, systemEffects.monotonic);
});
afterEach(() => {
  jest.useRealTimers();
});

/** A body with this number of received bytes. */
function arriving(bytes: number) {
  const room = budget.open();
  const body = { room, isTaken: room.take(bytes), refusal: undefined as BodyRefusal | undefined };
  void room.refused.then((refusal) => {
    body.refusal = refusal;
  });
  return body;
}

const statuses = async (...bodies: ReturnType<typeof arriving>[]) => {
  // Refusals settle promises.
  await Promise.resolve();
  return bodies.map(({ refusal }) => refusal?.status);
};

describe('a body', () => {
  test('is taken while there is room for it, and leaves it once its request is answered', () => {
    const [one, two] = [arriving(40), arriving(50)];
    expect([one.isTaken, one.room.take(10), two.isTaken, budget.totalBytes]).toEqual([true, true, true, 100]);
    one.room.release();
    one.room.release();
    expect([budget.totalBytes, arriving(50).isTaken]).toEqual([50, true]);
  });

  test('is refused with 429 without room, gives its room back, and is read no further', async () => {
    const [first, second] = [arriving(60), arriving(40)];
    expect(second.room.take(1)).toBe(false);
    expect(await statuses(first, second)).toEqual([undefined, 429]);
    expect([budget.totalBytes, second.room.take(1)]).toEqual([60, false]);
    second.room.release();
    expect(budget.totalBytes).toBe(60);
  });

  test('takes room of bodies that are a second old, the oldest first, as much as needed', async () => {
    const slow = [arriving(30), arriving(30)];
    jest.advanceTimersByTime(500);
    const quick = arriving(40);
    jest.advanceTimersByTime(600);
    const next = arriving(20);
    expect(await statuses(...slow, quick, next)).toEqual([429, undefined, undefined, undefined]);
    expect([next.isTaken, budget.totalBytes]).toEqual([true, 90]);
    expect(await statuses(arriving(50))).toEqual([429]);
    expect(await statuses(...slow, quick)).toEqual([429, 429, undefined]);
  });

  test('keeps its room after it has arrived until its request is answered', async () => {
    const whole = arriving(100);
    whole.room.received();
    jest.advanceTimersByTime(60_000);
    expect(await statuses(whole, arriving(1))).toEqual([undefined, 429]);
    expect(budget.totalBytes).toBe(100);
  });

  test('takes no room in place of itself if it is slow', async () => {
    const slow = arriving(100);
    jest.advanceTimersByTime(2_000);
    expect(slow.room.take(1)).toBe(false);
    expect([await statuses(slow), budget.totalBytes]).toEqual([[429], 0]);
  });

  test('is refused with 408 and the reason if it has not arrived after the longest time', async () => {
    const late = arriving(1);
    jest.advanceTimersByTime(15_000);
    const younger = arriving(1);
    jest.advanceTimersByTime(25_000);
    expect(await statuses(late, younger)).toEqual([408, undefined]);
    expect(late.refusal?.message).toBe('the body did not arrive within 40 seconds');
    expect(budget.totalBytes).toBe(1);
  });

  test('keeps no timer going once it has arrived', () => {
    const bodies = [arriving(1), arriving(1)];
    expect(jest.getTimerCount()).toBe(1);
    bodies[0]?.room.received();
    expect(jest.getTimerCount()).toBe(1);
    bodies[1]?.room.release();
    expect(jest.getTimerCount()).toBe(0);
  });
});
