import { expect, test } from '@jest/globals';
import { exposureWarning } from './exposure.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
  eth0: [
    { address: '192.168.1.5', family: 'IPv4', internal: false },
    { address: 'fe80::1', family: 'IPv6', internal: false },
  ],
} as const;
const warningOf = (host: string, found: Parameters<typeof exposureWarning>[2] = interfaces) =>
  exposureWarning(host, 'http://127.0.0.1:5100', found);

test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('%s is for this machine alone', (host) => {
  expect(warningOf(host)).toBeUndefined();
});

test.each([
  ['0.0.0.0', 'ws://192.168.1.5:5100'],
  ['::', 'ws://192.168.1.5:5100'],
  ['192.168.1.5', 'ws://192.168.1.5:5100'],
  ['fe80::1', 'ws://[fe80::1]:5100'],
])('%s lets others connect, by %s', (host, url) => {
  expect(warningOf(host)).toMatch(/^Warning: anyone who can reach this machine/);
  expect(warningOf(host)?.split('\n')[1]).toBe(`  for them    ${url}`);
  expect(warningOf(host)).toContain('The console answers this machine alone');
});

test('a machine without a network says so', () => {
  expect(warningOf('0.0.0.0', {})).toContain('no address of a network was found');
});
