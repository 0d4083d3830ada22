import { expect, test } from '@jest/globals';
import { findHaproxy, haproxyConfig } from './haproxy.ts';

test('where it is not installed, it is said how to install it', () => {
  expect(() => findHaproxy(['/nowhere'])).toThrow('apt-get install haproxy');
});

test('every host is a server whose readiness is asked for', () => {
  const config = haproxyConfig(5_000, 6_000, [
    { name: 'host1', address: '127.0.0.11:1' },
    { name: 'host2', address: '127.0.0.12:2' },
  ]);
  expect(config).toContain('  server host1 127.0.0.11:1\n  server host2 127.0.0.12:2\n');
  expect(config).toContain('option httpchk GET /health/readiness');
});
