import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { OpenConnections } from './openConnections.ts';
import { TestTransport } from './testing/transport.ts';

const IDLE_MS = 1_000;
let open: OpenConnections;
beforeEach(() => {
  jest.useFakeTimers();
  open = new OpenConnections(IDLE_MS);
});
afterEach(() => {
  open.stop();
  jest.useRealTimers();
});

test('a connection that has sent nothing for the idle timeout is closed, within a quarter of it; others are not', () => {
  const [silent, talking] = [new TestTransport(), new TestTransport()];
  open.heard(silent);
  open.heard(talking);
  jest.advanceTimersByTime(IDLE_MS / 2);
  open.heard(talking);
  jest.advanceTimersByTime(IDLE_MS / 2);
  expect(silent.ended).toBeUndefined();
  jest.advanceTimersByTime(IDLE_MS / 4);
  expect([silent.ended, talking.ended]).toEqual(['1001 idle timeout', undefined]);
  expect([open.size, open.all()]).toEqual([2, [silent, talking]]);
  open.forget(silent);
  expect(open.all()).toEqual([talking]);
});

test('nothing is closed once it was stopped', () => {
  const silent = new TestTransport();
  open.heard(silent);
  open.stop();
  jest.advanceTimersByTime(10 * IDLE_MS);
  expect(silent.ended).toBeUndefined();
});
