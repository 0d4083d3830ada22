import { describe, expect, test } from '@jest/globals';
import { clientAddress } from './clientAddress.ts';

describe('the address of a client', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['172.32.0.1', '172.32.0.1'],
    ['2001:db8:0:1:aaaa::7', '2001:db8:0:1'],
    ['2001:DB8:0:0001:bbbb:0:0:7', '2001:db8:0:1'],
    ['2001:db8::7', '2001:db8:0:0'],
    ['2001:db8:1::', '2001:db8:1:0'],
  ])('is that of its socket: %s is %s', (peer, expected) => {
    expect(clientAddress(peer, undefined, 0)).toBe(expected);
    expect(clientAddress(peer, '198.51.100.1', 0)).toBe(expected);
  });

  test.each([
    ...['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.3.4', '172.16.0.1', '172.31.255.1', '192.168.1.1', '169.254.1.1'],
    ...['100.64.0.1', 'fd00::1', 'fe80::1', undefined, '', 'none'],
  ])('is unknown behind a private address: %s', (peer) => {
    expect(clientAddress(peer, '198.51.100.1', 0)).toBeUndefined();
  });

  test.each([
    [1, '198.51.100.1', '198.51.100.1'],
    [1, '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    [2, '1.1.1.1,198.51.100.1 , 10.0.0.1', '198.51.100.1'],
    [2, '198.51.100.1', '203.0.113.9'],
    [1, 'forged', undefined],
    [1, '198.51.100.1, 10.0.0.1', undefined],
    [1, undefined, '203.0.113.9'],
  ])('is what the last of %d trusted proxies saw: %s is %s', (proxies, forwardedFor, expected) => {
    expect(clientAddress('203.0.113.9', forwardedFor, proxies)).toBe(expected);
  });
});
