import { expect, test } from '@jest/globals';
import { includesLoopback, networkAddresses } from './networkAddresses.ts';

const interfaces = {
  lo: [
    { address: '127.0.0.1', family: 'IPv4', internal: true },
    { address: '::1', family: 'IPv6', internal: true },
  ],
  eth0: [
    { address: '192.168.1.20', family: 'IPv4', internal: false },
    { address: 'fe80::1', family: 'IPv6', internal: false },
    { address: '2001:db8::20', family: 'IPv6', internal: false },
  ],
  wlan0: [{ address: '10.0.0.7', family: 'IPv4', internal: false }],
} as const;
const addressesOf = (host: string, found: Parameters<typeof networkAddresses>[2] = interfaces) =>
  networkAddresses(host, 'http://127.0.0.1:5100', found);

test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('%s is for this machine only', (host) => {
  expect(addressesOf(host)).toBeUndefined();
  expect(includesLoopback(host)).toBe(true);
});

test.each([
  ['0.0.0.0', ['192.168.1.20:5100', '10.0.0.7:5100'], true],
  ['::', ['192.168.1.20:5100', '[2001:db8::20]:5100', '10.0.0.7:5100'], true],
  ['192.168.1.20', ['192.168.1.20:5100'], false],
  ['2001:db8::20', ['[2001:db8::20]:5100'], false],
])('%s is reached from other machines by %p', (host, expected, isLocalToo) => {
  expect(addressesOf(host)).toEqual(expected);
  expect(includesLoopback(host)).toBe(isLocalToo);
});

test('a machine without a network has no address', () => {
  expect(addressesOf('0.0.0.0', {})).toEqual([]);
});
