import { afterEach, expect, test } from '@jest/globals';
import { readPerson } from './signIn.ts';

const URL = 'https://console.example';
afterEach(() => {
  delete process.env['FLAGWIRE_TEST_PASSWORD'];
});

test('a test person has a password in the environment, and needs a console with sign-in', () => {
  expect(readPerson(undefined, URL)).toBeUndefined();
  expect(() => readPerson('ann', URL)).toThrow('set FLAGWIRE_TEST_PASSWORD');
  process.env['FLAGWIRE_TEST_PASSWORD'] = 'p';
  expect(readPerson('ann', URL)).toEqual({ name: 'ann', password: 'p' });
  expect(() => readPerson('ann', undefined)).toThrow('--person needs a stage with console.signIn');
});
