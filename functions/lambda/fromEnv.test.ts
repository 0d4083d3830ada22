import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectionsFromEnv, flagsFromEnv, requireEnv, requireNumber } from './fromEnv.ts';

const before = { ...process.env };
beforeEach(() => {
  process.env['FLAGS_TABLE'] = 'Flags';
  delete process.env['CONNECTIONS_TABLE'];
});
afterEach(() => {
  process.env = { ...before };
});

describe('a setting', () => {
  test('is what the environment says', () => {
    expect(requireEnv('FLAGS_TABLE')).toBe('Flags');
  });

  test.each([undefined, ''])('is an error that names it if it is missing (%j)', (value) => {
    if (value === undefined) delete process.env['FLAGS_TABLE'];
    else process.env['FLAGS_TABLE'] = value;
    expect(() => requireEnv('FLAGS_TABLE')).toThrow('the environment variable FLAGS_TABLE is not set');
  });

  test.each(['many', '0', '-1', 'NaN'])('is an error that names it if it is no number above 0 (%s)', (value) => {
    process.env['POSTS_PER_SECOND'] = value;
    expect(() => requireNumber('POSTS_PER_SECOND')).toThrow(`POSTS_PER_SECOND is "${value}", not a number above 0`);
    process.env['POSTS_PER_SECOND'] = '250';
    expect(requireNumber('POSTS_PER_SECOND')).toBe(250);
  });
});

describe('the tables', () => {
  test('are those that the environment names; a missing one fails when it is opened', () => {
    expect(flagsFromEnv().documents).toBeDefined();
    expect(() => connectionsFromEnv()).toThrow('CONNECTIONS_TABLE is not set');
  });
});
