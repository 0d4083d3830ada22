import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest } from './message.ts';
import { formatRelayKey, isRelayKey, parseRelaySync } from './relay.ts';
import { decodeToken } from './token.ts';

const ENV = 'ad99d259-1f50-4ed9-a002-7c65e25487df';

test('a relay key is known by its form, and is no token', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (first, second) => {
      const key = formatRelayKey(first, second);
      expect(isRelayKey(key)).toBe(true);
      expect(decodeToken(key)).toBeUndefined();
      for (const other of [key.slice(1), `${key}A`, ` ${key}`, `${key}\n`, key.replace('rp-', 'RP-')]) {
        expect(isRelayKey(other)).toBe(false);
      }
    }),
  );
});

describe('an agent’s data-sync', () => {
  test.each([
    ['the agent’s first', { timestamp: 0 }, 0, []],
    ['none', {}, 0, []],
    ['a cursor', { timestamp: 7, envs: [{ envId: ENV, timestamp: 5 }] }, 7, [[ENV, 5]]],
    ['other letter case', { Timestamp: 7, Envs: [{ ENVID: ENV.toUpperCase(), TimeStamp: 5 }] }, 7, [[ENV, 5]]],
    ['an environment without cursor', { timestamp: 7, envs: [{ envId: ENV }] }, 7, [[ENV, 0]]],
  ])('is read with %s', (_, data, timestamp, cursors) => {
    expect(parseRelaySync(data)).toEqual({ timestamp, cursors: new Map(cursors as [string, number][]) });
  });

  test.each([
    null,
    [],
    'text',
    { timestamp: '7' },
    { timestamp: 7, envs: {} },
    { timestamp: 7, envs: [null] },
    { timestamp: 7, envs: [{ timestamp: 5 }] },
    { timestamp: 7, envs: [{ envId: 5, timestamp: 5 }] },
    { timestamp: 7, envs: [{ envId: ENV, timestamp: '5' }] },
  ])('is refused if it is %j', (data) => {
    expect(() => parseRelaySync(data)).toThrow(InvalidRequest);
  });
});
