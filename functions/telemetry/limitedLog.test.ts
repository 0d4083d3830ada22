import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { LimitedLog } from './limitedLog.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => output.clear());

const messages = () => output.lines().map(({ message }) => message);

test('a flood of one kind is ten lines a minute; other kinds are heard', () => {
  const limited = new LimitedLog(() => 0);
  for (let n = 0; n < 5_000; n++) limited.warn('connection refused', { n });
  limited.error('failed', {});
  expect(messages()).toEqual([...Array(10).fill('connection refused'), 'failed']);
  expect(output.lines().map(({ level }) => level)).toEqual([...Array(10).fill('WARN'), 'ERROR']);
});

test('counts the omitted lines of a minute in the first line after it, of any kind', () => {
  let now = 0;
  const limited = new LimitedLog(() => now);
  for (let n = 0; n < 5_000; n++) limited.warn('connection refused', {});
  limited.warn('message ignored', {});
  output.clear();
  now = 61_000;
  limited.error('failed', {});
  limited.warn('connection refused', { n: 'later' });
  expect(output.lines()).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: 'repeated log lines left out',
      kind: 'connection refused',
      count: 4_990,
    }),
    expect.objectContaining({ message: 'failed' }),
    expect.objectContaining({ message: 'connection refused', n: 'later' }),
  ]);
});

test('lines left out at level info are counted at level info', () => {
  let now = 0;
  const limited = new LimitedLog(() => now);
  for (let n = 0; n < 11; n++) limited.info('request refused', {});
  now = 61_000;
  limited.info('request refused', {});
  expect(output.lines().map(({ level }) => level)).toEqual(Array(12).fill('INFO'));
  expect(output.lines()).toContainEqual(expect.objectContaining({ kind: 'request refused', count: 1 }));
});
