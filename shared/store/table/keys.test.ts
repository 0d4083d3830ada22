import { expect, test } from '@jest/globals';
import { hashSecret, keys, secretIdOf, secretIdOfKey } from './keys.ts';

test('a secret’s connections are registered with the beginning of its hash, which its key tells too', () => {
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
