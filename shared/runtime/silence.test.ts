import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { onSilence } from './effects.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('acts once, after the time and not before', () => {
  const act = jest.fn();
  onSilence(1_000, act);
  jest.advanceTimersByTime(999);
  expect(act).not.toHaveBeenCalled();
  jest.advanceTimersByTime(10_000);
  expect(act).toHaveBeenCalledTimes(1);
});

test.each([0, 499, 500, 999])('never acts, and leaves nothing, when the answer came after %i ms', (ms) => {
  const act = jest.fn();
  const stop = onSilence(1_000, act);
  jest.advanceTimersByTime(ms);
  stop();
  expect(jest.getTimerCount()).toBe(0);
  expect(act).not.toHaveBeenCalled();
});

test('lets what is due at the same time come first', () => {
  const order: string[] = [];
  const stop = onSilence(1_000, () => order.push('gave up'));
  setTimeout(() => {
    order.push('answered');
    stop();
  }, 1_000);
  jest.advanceTimersByTime(2_000);
  expect(order).toEqual(['answered']);
});
