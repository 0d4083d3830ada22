import { afterEach, expect, jest, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { startHeartbeat } from './heartbeat.ts';

let output: CapturedOutput;

afterEach(() => {
  output.release();
  jest.useRealTimers();
});

test('writes a heartbeat at once and every 30 s, also after one that failed', async () => {
  output = captureOutput();
  jest.useFakeTimers();
  const outcomes = [Promise.resolve(), Promise.reject(new Error('throttled')), Promise.resolve()];
  const beat = jest.fn(() => outcomes[beat.mock.calls.length - 1] ?? Promise.resolve());
  const timer = startHeartbeat(beat);
  expect(beat).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(beat).toHaveBeenCalledTimes(3);
  expect(JSON.stringify(output.lines())).toContain('throttled');
  clearInterval(timer);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(beat).toHaveBeenCalledTimes(3);
});
