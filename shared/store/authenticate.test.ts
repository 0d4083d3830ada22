import { describe, expect, test } from '@jest/globals';
import { formatRelayKey } from '../protocol/relay.ts';
import { formatSecret, type SecretType } from '../protocol/secret.ts';
import { encodeToken } from '../protocol/token.ts';
import { authenticateConnection, authenticateSecret, type KnownKeys, readConnectionQuery } from './authenticate.ts';
import type { SecretGrant } from './environments/secrets.ts';

const NOW = Date.UTC(2024, 0);
const ENV = 'ad99d259-1f50-4ed9-a002-7c65e25487df';
const OTHER_ENV = '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb';
const secretOf = (n: number, envId = ENV) => formatSecret(`00000000-0000-4000-8000-00000000000${n}`, envId);
const CLIENT = secretOf(1);
const SERVER = secretOf(2);
const STOLEN = secretOf(3, OTHER_ENV);

const grants: Record<string, SecretGrant> = {
  [CLIENT]: { envId: ENV, type: 'client' },
  [SERVER]: { envId: ENV, type: 'server' },
  [STOLEN]: { envId: ENV, type: 'client' },
};
const RELAY_KEY = formatRelayKey(ENV, OTHER_ENV);
const RELAY = { id: 'relay', envIds: [ENV, OTHER_ENV], secrets: [] };
const asked: string[] = [];
const secrets = {
  find: async (secret: string) => {
    asked.push(secret);
    return grants[secret];
  },
};
const failing = {
  find: async () => {
    throw new Error('the table is down');
  },
};

/** With one relay key. */
const known = (from: KnownKeys['secrets']) => ({
  secrets: from,
  relays: { find: async (key: string) => (key === RELAY_KEY ? RELAY : undefined) },
});

const connect = (fields: { type?: string; token?: string; version?: string } = {}, from = secrets) =>
  authenticateConnection(
    known(from),
    { type: 'client', token: encodeToken(CLIENT, NOW, 7), version: '', ...fields },
    NOW,
  );

describe('a connection', () => {
  test.each([
    ['client', CLIENT],
    ['server', SERVER],
  ] as [SecretType, string][])('is accepted for a %s with its secret', async (type, secret) => {
    expect(await connect({ type, token: encodeToken(secret, NOW - 30_000, 2) })).toEqual({
      grant: { envId: ENV, type },
      secret,
    });
  });

  test('is accepted for an agent with its relay key as it is', async () => {
    expect(await connect({ type: 'relay-proxy', token: RELAY_KEY })).toEqual({ relay: RELAY, secret: RELAY_KEY });
  });

  test.each(['', '1', '2'])('may say protocol version %j', async (version) => {
    expect(await connect({ version })).toHaveProperty('grant');
  });

  test.each([
    ['an unknown type', { type: 'relay' }, 'forbidden', 'unsupported type'],
    ['no relay key', { type: 'relay-proxy', token: '' }, 'malformed', 'missing or malformed relay key'],
    ['a token for a relay key', { type: 'relay-proxy' }, 'malformed', 'missing or malformed relay key'],
    [
      'a relay key with a blank',
      { type: 'relay-proxy', token: `${RELAY_KEY} ` },
      'malformed',
      'missing or malformed relay key',
    ],
    [
      'an unknown relay key',
      { type: 'relay-proxy', token: formatRelayKey(ENV, ENV) },
      'forbidden',
      'unknown or revoked relay key',
    ],
    ['a relay key as a token', { type: 'server', token: RELAY_KEY }, 'malformed', 'malformed token'],
    ['a type in other letter case', { type: 'Client' }, 'forbidden', 'unsupported type'],
    ['no type', { type: '' }, 'forbidden', 'unsupported type'],
    ['an unknown version', { version: '3' }, 'forbidden', 'unsupported version'],
    ['no token', { token: '' }, 'malformed', 'malformed token'],
    ['a token that is none', { token: 'QDUBHYWVkLWNiZT' }, 'malformed', 'malformed token'],
    [
      'a token that is too old',
      { token: encodeToken(CLIENT, NOW - 30_001, 7) },
      'forbidden',
      'the token is 31 s old, above the limit of 30 s; check the clock of the client',
    ],
    [
      'a token of the future',
      { token: encodeToken(CLIENT, NOW + 31_000, 7) },
      'forbidden',
      'the token is 31 s in the future, above the limit of 30 s; check the clock of the client',
    ],
    ['an unknown secret', { token: encodeToken(secretOf(9), NOW, 7) }, 'forbidden', 'unknown or revoked secret'],
    ['a secret of the other type', { token: encodeToken(SERVER, NOW, 7) }, 'forbidden', 'not a client secret'],
    ['a secret that names another environment', { token: encodeToken(STOLEN, NOW, 7) }, 'forbidden', 'unknown'],
  ])('is refused with %s', async (_, fields, refused, reason) => {
    expect(await connect(fields)).toMatchObject({ refused, reason: expect.stringContaining(reason) });
  });

  test('costs a look at the table only when all else is right', async () => {
    asked.length = 0;
    await connect({ type: 'nobody' });
    await connect({ version: '9' });
    await connect({ token: 'garbage' });
    await connect({ token: encodeToken(CLIENT, NOW - 60_000, 7) });
    expect(asked).toEqual([]);
    await connect();
    expect(asked).toEqual([CLIENT]);
  });

  test('is neither accepted nor refused while the table is down', async () => {
    await expect(connect({}, failing)).rejects.toThrow('the table is down');
  });
});

describe('a query', () => {
  const read = (query: string) => readConnectionQuery(new URLSearchParams(query));

  test('names what it says in any letter case and order', () => {
    expect(read('VERSION=2&x=y&Token=t&type=client')).toEqual({ type: 'client', token: 't', version: '2' });
    expect(read('')).toEqual({ type: '', token: '', version: '' });
  });

  test.each(['type=client', 'Type=client', 'type=', 'type=server'])('is refused with type=client&%s', async (again) => {
    const query = { ...read(`type=client&${again}`), token: encodeToken(CLIENT, NOW, 7) };
    expect(await authenticateConnection(known(secrets), query, NOW)).toMatchObject({ reason: 'unsupported type' });
  });

  test('is refused with two tokens, at each position of the cut', async () => {
    for (let position = 2; position <= CLIENT.length; position++) {
      const token = encodeToken(CLIENT, NOW, position);
      for (const twice of [`${token}&token=${token}`, `${token}&token=`, `&TOKEN=${token}`]) {
        const query = read(`type=client&token=${twice}`);
        expect(await authenticateConnection(known(secrets), query, NOW)).toMatchObject({ refused: 'malformed' });
      }
    }
  });
});

describe('a secret by itself', () => {
  test('is accepted for its own type, or if the type does not matter', async () => {
    expect(await authenticateSecret(secrets, CLIENT)).toEqual({
      grant: { envId: ENV, type: 'client' },
      secret: CLIENT,
    });
    expect(await authenticateSecret(secrets, SERVER, 'server')).toHaveProperty('grant');
    expect(await authenticateSecret(secrets, CLIENT, 'server')).toMatchObject({ refused: 'forbidden' });
  });

  test.each(['', 'Bearer x', CLIENT.slice(1), `${CLIENT} `])('%j is malformed, and costs no look', async (secret) => {
    asked.length = 0;
    const reason = 'missing or malformed secret';
    expect(await authenticateSecret(secrets, secret)).toEqual({ refused: 'malformed', reason });
    expect(asked).toEqual([]);
  });

  test('is never part of the reason why it is refused', async () => {
    for (const secret of [secretOf(9), STOLEN, SERVER, SERVER.slice(2)]) {
      expect(JSON.stringify(await authenticateSecret(secrets, secret, 'client'))).not.toContain(secret.slice(0, 10));
    }
  });
});
