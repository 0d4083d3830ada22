import { describe, expect, test } from '@jest/globals';
import { isHost, isOneOf } from './hostHeader.ts';

describe('a Host', () => {
  test.each([undefined, null, '', 'h', 'localhost:80', '127.0.0.1', '[::1]:8080', "it's.example", 'bücher.example'])(
    'may be %j',
    (header) => expect(isHost(header)).toBe(true),
  );

  test.each(["12'.0.0.1", '999.1.1.1', 'host:80:80', 'host:99999', '%', '[', 'a b', '<'])('cannot be %j', (header) =>
    expect(isHost(header)).toBe(false),
  );
});

test.each([
  ['localhost', true],
  ['LocalHost:5200', true],
  ['[::1]', true],
  ['[::1]:5200', true],
  [undefined, true],
  ['evil.example', false],
  ['localhost.evil.example:5200', false],
  ['::1', false],
])('%s is one of its names: %s', (header, expected) => {
  expect(isOneOf(['localhost', '[::1]'], header)).toBe(expected);
});
