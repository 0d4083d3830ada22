import { expect, test } from '@jest/globals';
import { array, assert, nat, property } from 'fast-check';
import { EventQueue } from './eventQueue.ts';

test('lets everything happen in the order of its time, at one time in the order in which it was added', () => {
  assert(
    property(array(nat(20)), (times) => {
      const queue = new EventQueue();
      const happened: [at: number, number: number][] = [];
      const act = (number: number) => void happened.push([queue.now, number]);
      for (const [number, ms] of times.entries()) queue.after(ms, act, number);
      expect(queue.run(1_000)).toBe(true);
      const inOrder = times.map((at, number): [number, number] => [at, number]).toSorted(([a], [b]) => a - b);
      expect(happened).toEqual(inOrder);
      expect(queue.done).toBe(times.length);
    }),
  );
});

test('what an event adds happens in the same run; time never goes back', () => {
  const queue = new EventQueue();
  const happened: number[] = [];
  const act = (number: number) => {
    happened.push(queue.now);
    if (number > 0) queue.after(number % 2 === 0 ? -5 : 3, act, number - 1);
  };
  queue.after(1, act, 4);
  expect(queue.run(1_000)).toBe(true);
  expect(happened).toEqual([1, 1, 4, 4, 7]);
});

test('stops at a time, and goes on from there', () => {
  const queue = new EventQueue();
  const happened: number[] = [];
  for (const ms of [10, 20, 30]) queue.after(ms, () => void happened.push(queue.now));
  expect(queue.run(20)).toBe(false);
  expect([queue.now, happened]).toEqual([20, [10, 20]]);
  expect(queue.run(40)).toBe(true);
  expect(happened).toEqual([10, 20, 30]);
});
