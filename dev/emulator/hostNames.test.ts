import { describe, expect, test } from '@jest/globals';
import { HostNames } from './hostNames.ts';

describe('the names of a server', () => {
  test.each(['127.0.0.1', '127.0.0.1:5100', 'localhost:80', 'LocalHost', '[::1]', '[::1]:5100'])(
    'include %s, whatever they are',
    (host) => {
      expect(new HostNames().include(host)).toBe(true);
    },
  );

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:5100',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:5100:80',
    'localhost:port',
    '::1',
    '192.168.1.5',
    '192.168.1.5:5100',
    '[fe80::1]',
    'x y',
    '@localhost',
  ])('do not include %j', (host) => {
    expect(new HostNames().include(host)).toBe(false);
  });

  test('include those that are given, and their addresses where others reach it', () => {
    const names = new HostNames(['Host.docker.internal', 'fe80::1'], true);
    for (const host of ['host.docker.internal:5100', '[fe80::1]', '192.168.1.5:5100', '[fd00::2]:1', 'localhost']) {
      expect([host, names.include(host)]).toEqual([host, true]);
    }
    for (const host of ['evil.example', '1.2.3', '1.2.3.4.evil.example', '[::1']) {
      expect([host, names.include(host)]).toEqual([host, false]);
    }
  });

  test('are named by a refusal', () => {
    expect(new HostNames(['mine.lan'], true).refusal('evil.example')).toBe(
      'Host "evil.example" is refused. Accepted: 127.0.0.1, localhost, [::1], mine.lan, any address',
    );
    expect(new HostNames().refusal('x'.repeat(9_000)).length).toBeLessThan(250);
  });
});
