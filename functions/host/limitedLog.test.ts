import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { LimitedLog } from './limitedLog.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

test('a flood of one kind is ten lines a minute and a count; other kinds are heard', () => {
  let now = 0;
  const limited = new LimitedLog(() => now);
  for (let n = 0; n < 5_000; n++) limited.warn('connection refused', { n });
  limited.warn('failed', {});
  now = 61_000;
  limited.warn('connection refused', { n: 'later' });
  const messages = output.lines().map(({ message }) => message);
  expect(messages.filter((message) => message === 'connection refused')).toHaveLength(11);
  expect(messages).toContain('failed');
  expect(messages).toContain('connection refused: 4990 more of these were left out');
});
