import { expect, test } from '@jest/globals';
import { hashSecret, keys, secretIdOf, secretIdOfKey } from './keys.ts';

test('registers a secret’s connections with the beginning of its hash, as in its key', () => {
  const id = secretIdOf('a secret');
  expect(id).toHaveLength(16);
  expect(hashSecret('a secret').startsWith(id)).toBe(true);
  expect(secretIdOfKey(keys.secret(hashSecret('a secret')).pk.S)).toBe(id);
});

test.each([keys.environment('SECRET').pk.S, keys.version('SECRET', 1).pk.S, 'SECRET', ''])(
  'the key %j is not that of a secret',
  (pk) => {
    expect(secretIdOfKey(pk)).toBeUndefined();
  },
);
