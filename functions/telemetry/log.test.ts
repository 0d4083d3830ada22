import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { log, logInvalidConditions } from './log.ts';

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

describe('an invalid condition', () => {
  test('is warned of, each by its kind, name and place', () => {
    logInvalidConditions('env', [
      { kind: 'flag', id: 'f', path: 'rules[0].conditions[1]', message: 'never matches: is no expression' },
      { kind: 'segment', id: 's', path: '', message: 'not JSON' },
    ]);
    const common = { level: 'WARN', envId: 'env' };
    expect(output.lines()).toEqual([
      expect.objectContaining({
        ...common,
        message: 'invalid condition',
        kind: 'flag',
        id: 'f',
        path: 'rules[0].conditions[1]',
        reason: 'never matches: is no expression',
      }),
      expect.objectContaining({
        ...common,
        message: 'document not sent to SDKs',
        kind: 'segment',
        id: 's',
        reason: 'not JSON',
      }),
    ]);
  });

  test('is told in a line of bounded length', () => {
    logInvalidConditions('env', [{ kind: 'flag', id: 'f', path: '', message: 'x'.repeat(300_000) }]);
    expect(output.text().length).toBeLessThan(2_000);
  });

  test('is not mentioned where there is nothing', () => {
    logInvalidConditions('env', []);
    expect(output.text()).toBe('');
  });
});
