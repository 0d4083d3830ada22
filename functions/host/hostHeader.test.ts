import { describe, expect, test } from '@jest/globals';
import { isHost } from './hostHeader.ts';

describe('a Host', () => {
  test.each([undefined, null, '', 'h', 'localhost:80', '127.0.0.1', '[::1]:8080', "it's.example", 'bücher.example'])(
    'may be %j',
    (header) => expect(isHost(header)).toBe(true),
  );

  test.each(["12'.0.0.1", '999.1.1.1', 'host:80:80', 'host:99999', '%', '[', 'a b', '<'])('cannot be %j', (header) =>
    expect(isHost(header)).toBe(false),
  );
});
