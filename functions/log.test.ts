import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { log, logContained } from './log.ts';
import { type CapturedOutput, captureOutput } from './testing/output.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => output.clear());

describe('the log', () => {
  test('is an object of JSON a line, with level, time and service', () => {
    log.info('two\nlines', { connectionId: 'c' });
    log.error('failed', new Error('why'));
    expect(output.text().trimEnd().split('\n')).toHaveLength(2);
    expect(output.lines()).toEqual([
      expect.objectContaining({
        level: 'INFO',
        message: 'two\nlines',
        connectionId: 'c',
        service: 'flagwire',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
      expect.objectContaining({ level: 'ERROR', error: expect.objectContaining({ message: 'why' }) }),
    ]);
  });
});

describe('what is contained', () => {
  test('is warned of, each by its kind, name and place', () => {
    logContained('env', [
      { kind: 'flag', id: 'f', path: 'rules[0].conditions[1]', message: 'not a regular expression' },
      { kind: 'segment', id: 's', path: '', message: 'not JSON' },
    ]);
    const common = { level: 'WARN', envId: 'env' };
    expect(output.lines()).toEqual([
      expect.objectContaining({
        ...common,
        message: 'flag "f" rules[0].conditions[1] never matches: not a regular expression',
      }),
      expect.objectContaining({ ...common, message: 'segment "s" never matches: not JSON' }),
    ]);
  });

  test('is not mentioned where there is nothing', () => {
    logContained('env', []);
    expect(output.text()).toBe('');
  });
});
