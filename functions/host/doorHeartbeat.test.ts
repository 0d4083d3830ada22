import { afterEach, expect, jest, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { startHeartbeat } from './doorHeartbeat.ts';

let output: CapturedOutput;

afterEach(() => {
  output.release();
  jest.useRealTimers();
});

/** Bun's fake timers do not wait for promises. */
async function pass(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  for (let n = 0; n < 10; n++) await undefined;
}

test('writes a heartbeat at once and every 30 s, also after one that failed', async () => {
  output = captureOutput();
  jest.useFakeTimers();
  const outcomes = [Promise.resolve(), Promise.reject(new Error('throttled')), Promise.resolve()];
  const beat = jest.fn(() => outcomes[beat.mock.calls.length - 1] ?? Promise.resolve());
  const timer = startHeartbeat(beat);
  expect(beat).toHaveBeenCalledTimes(1);
  await pass(60_000);
  expect(beat).toHaveBeenCalledTimes(3);
  expect(JSON.stringify(output.lines())).toContain('throttled');
  clearInterval(timer);
  await pass(60_000);
  expect(beat).toHaveBeenCalledTimes(3);
});
