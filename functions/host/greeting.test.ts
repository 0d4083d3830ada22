import { expect, test } from '@jest/globals';
import { hostGreeting } from './greeting.ts';

const local = { host: '127.0.0.1', port: 5200 };

test('names the addresses of the host, and the next command', () => {
  const text = hostGreeting(local, '.flagwire');
  expect(text).toContain('  streaming  ws://127.0.0.1:5200\n  HTTP       http://127.0.0.1:5200\n');
  expect(text).toMatch(/with a key that npm start printed[\s\S]*\n {2}npm run flags -- list\n$/);
});

test('names the data directory in the next command where it needs it', () => {
  expect(hostGreeting(local, '/tmp/my data')).toMatch(/ list --data '\/tmp\/my data'\n$/);
});

test('checks the table of a deployment next', () => {
  expect(hostGreeting(local, undefined)).toMatch(/\n {2}curl http:\/\/127\.0\.0\.1:5200\/health\/readiness\n$/);
});

test.each([
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['::1', '[::1]'],
])('shows the address %s as %s', (host, shown) => {
  expect(hostGreeting({ ...local, host }, '.flagwire')).toContain(`ws://${shown}:5200\n`);
});

test('names addresses with TLS', () => {
  const text = hostGreeting({ ...local, tls: { cert: 'c', key: 'k' } }, undefined);
  expect(text).toContain('wss://127.0.0.1:5200');
  expect(text).toContain('https://127.0.0.1:5200/health');
});
