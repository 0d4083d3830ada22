import { describe, expect, test } from '@jest/globals';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { API_PATH } from '../api.ts';
import { RIGHTS } from '../rights.ts';
import { signedInConsole, useIssuer } from './testing/signedInConsole.ts';

useTables();
const issuer = useIssuer();

const MINUTE = 60;
const seconds = () => Math.floor(Date.now() / 1_000);

/** The answer to a request with a session. */
async function answerTo(token: string | undefined, options: Parameters<typeof signedInConsole>[1] = {}) {
  const console = signedInConsole(issuer.it, options);
  if (token !== undefined) console.setSession(token);
  const { status, json } = await console.call('GET context');
  return [status, json.error?.code];
}

const signed = (claims: object, header = {}) => issuer.it.sign({ ...issuer.it.person, ...claims }, header);
const unsigned = (header: object, claims: object) =>
  `${[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

describe('a session', () => {
  test('is the ID token of a person', async () => {
    expect(await answerTo(await signed({}))).toEqual([200, undefined]);
  });

  test.each(['PS256', 'ES256'])('may be signed with %s', async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    issuer.it.keys.push({ ...(await exportJWK(publicKey)), kid: alg });
    const token = await issuer.it.sign(issuer.it.person, { alg, kid: alg }, privateKey);
    expect(await answerTo(token)).toEqual([200, undefined]);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['no JWT', () => 'a.b.c'],
    ['a token of another issuer', () => signed({ iss: 'https://evil.example' })],
    ['a token for another client', () => signed({ aud: 'other' })],
    [
      'a token for several clients that another one asked for',
      () => signed({ aud: ['console', 'other'], azp: 'other' }),
    ],
    ['a token for several clients that does not say who asked for it', () => signed({ aud: ['console', 'other'] })],
    ['an expired token', () => signed({ iat: seconds() - 30 * MINUTE, exp: seconds() - MINUTE })],
    ['a token that is not valid yet', () => signed({ nbf: seconds() + 5 * MINUTE })],
    ['a token of the future', () => signed({ iat: seconds() + 5 * MINUTE, exp: seconds() + 60 * MINUTE })],
    ['an old token that lives long', () => signed({ iat: seconds() - 61 * MINUTE, exp: seconds() + 600 * MINUTE })],
    ['a token without an end', () => signed({ exp: undefined })],
    ['a token without a beginning', () => signed({ iat: undefined })],
    ['a token without a person', () => signed({ sub: undefined })],
    ['a token with an empty person', () => signed({ sub: '' })],
    ['a token whose person is no text', () => signed({ sub: ['ann-1'] })],
    ['a logout token', () => signed({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })],
    ['a token of a type that is no text', () => signed({}, { typ: 3 })],
    ['an access token of RFC 9068', () => signed({}, { typ: 'at+jwt' })],
    ['an access token of Cognito', () => signed({ token_use: 'access' })],
    ['an access token of Keycloak', () => signed({ typ: 'Bearer' })],
    ['an access token of Entra', () => signed({ scp: 'openid' })],
    ['an access token of an application of Entra', () => signed({ appid: 'other' })],
    ['an access token of Auth0', () => signed({ scope: 'openid profile' })],
    ['a token above 4,096 bytes', () => signed({ groups: ['readers', 'x'.repeat(4_096)] })],
    ['a token without a signature', () => unsigned({ alg: 'none' }, { ...issuer.it.person, iss: issuer.it.url })],
    [
      'a token with a key of its own',
      async () => {
        const { privateKey } = await generateKeyPair('RS256');
        return issuer.it.sign(issuer.it.person, {}, privateKey);
      },
    ],
    [
      'a token that brings its key',
      async () => {
        const { publicKey, privateKey } = await generateKeyPair('RS256');
        return issuer.it.sign(issuer.it.person, { jwk: await exportJWK(publicKey) }, privateKey);
      },
    ],
    [
      'a token whose groups were changed',
      async () => {
        const token = await signed({});
        const [header, , signature] = token.split('.');
        const [, claims] = unsigned({}, { ...decodeJwt(token), groups: ['readers', 'admins'] }).split('.');
        return `${header}.${claims}.${signature}`;
      },
    ],
    [
      'a token with an unknown key',
      async () => {
        const { privateKey } = await generateKeyPair('RS256');
        return issuer.it.sign(issuer.it.person, { kid: 'unknown' }, privateKey);
      },
    ],
    [
      'a token that is signed with the public key as a secret',
      async () => {
        const { keys } = (await (await fetch(`${issuer.it.url}/keys`)).json()) as { keys: [Record<string, string>] };
        const secret = await exportSPKI((await importJWK(keys[0], 'RS256', { extractable: true })) as CryptoKey);
        return issuer.it.sign(issuer.it.person, { alg: 'HS256' }, new TextEncoder().encode(secret));
      },
    ],
  ])('is not %s', async (_, token) => {
    expect(await answerTo(await token())).toEqual([401, 'sign-in-required']);
  });

  test.each<[string, (seal: (token: string) => string, token: string, other: string) => string]>([
    ['nothing, as in addresses and logs', (_, token) => token],
    ['an empty one', (_, token) => `${token}.`],
    ['one of another token', (seal, token, other) => `${token}.${seal(other).split('.')[3]}`],
    ['one that is cut', (seal, token) => seal(token).slice(0, -1)],
    ['a longer one', (seal, token) => `${seal(token)}A`],
    ['one with a character in the place of its last bits', (seal, token) => seal(token).replace(/.$/, '_')],
    ['one of another secret', (_, token) => signedInConsole(issuer.it, { secret: 'another' }).seal(token)],
    [
      'one of another console',
      (_, token) => signedInConsole(issuer.it, { origin: 'https://other.example' }).seal(token),
    ],
  ])('is no valid token whose signature of the console is %s', async (_, change) => {
    const console = signedInConsole(issuer.it);
    const [token, other] = [await signed({}), await signed({ sub: 'bob-2' })];
    console.cookies.set('__Host-session', console.seal(token));
    expect((await console.call('GET context')).status).toBe(200);
    console.cookies.set('__Host-session', change(console.seal, token, other));
    expect((await console.call('GET context')).status).toBe(401);
  });

  test('is refused if the browser has two of them', async () => {
    const console = signedInConsole(issuer.it);
    const token = await signed({});
    for (const second of [`=${console.seal(token)}`, '=a.b.c', ' =a.b.c', '']) {
      const cookie = `__Host-session=${console.seal(token)}; __Host-session${second}`;
      expect((await console.request(`${API_PATH}context`, { headers: { cookie } })).status).toBe(401);
    }
  });

  test.each([
    ['20 s behind', -20_000, 200],
    ['20 s ahead', 20_000, 200],
    ['2 min behind', -120_000, 401],
    ['2 min ahead at its end', 120_000, 401],
  ])('allows a clock that is %s: %i ms, %i', async (_, offset, status) => {
    const token = await signed({ iat: seconds(), exp: seconds() + (offset > 0 ? 1 : 30) });
    expect((await answerTo(token, { now: () => Date.now() + offset }))[0]).toBe(status);
  });

  test('lasts as long as the settings say', async () => {
    const token = await signed({ iat: seconds() - 61 * MINUTE, exp: seconds() + MINUTE });
    expect(await answerTo(token, { settings: { sessionMinutes: 90 } })).toEqual([200, undefined]);
  });

  test('costs one more request for keys, however many unknown ones it names', async () => {
    const console = signedInConsole(issuer.it);
    const { privateKey } = await generateKeyPair('RS256');
    const paths: string[] = [];
    issuer.it.onRequest = (path) => paths.push(path);
    for (let n = 0; n < 5; n++) {
      console.setSession(await issuer.it.sign({}, { kid: `unknown-${n}` }, privateKey));
      expect((await console.call('GET context')).status).toBe(401);
    }
    const read = ['/.well-known/openid-configuration', '/keys'];
    expect(paths).toEqual([...read, ...read]);
  });

  test('may have a key that the provider publishes later', async () => {
    const console = signedInConsole(issuer.it);
    console.setSession(await signed({}));
    await console.call('GET context');
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const token = await issuer.it.sign(issuer.it.person, { kid: 'later' }, privateKey);
    issuer.it.keys.push({ ...(await exportJWK(publicKey)), kid: 'later' });
    console.setSession(token);
    expect((await console.call('GET context')).status).toBe(200);
  });

  test('ends when the console reads that the provider withdrew its key', async () => {
    const console = signedInConsole(issuer.it);
    const withdrawn = await generateKeyPair('RS256');
    issuer.it.keys.push({ ...(await exportJWK(withdrawn.publicKey)), kid: 'withdrawn' });
    const old = await issuer.it.sign(issuer.it.person, { kid: 'withdrawn' }, withdrawn.privateKey);
    const ask = async (token: string) => {
      console.setSession(token);
      return (await console.call('GET context')).status;
    };
    expect(await ask(old)).toBe(200);
    issuer.it.keys.pop();
    expect(await ask(await issuer.it.sign({}, { kid: 'unknown' }, withdrawn.privateKey))).toBe(401);
    expect(await ask(old)).toBe(401);
  });

  test('is refused at once for 15 s after the provider has failed', async () => {
    let now = Date.now();
    const console = signedInConsole(issuer.it, { now: () => now, settings: { issuer: `${issuer.it.url}/missing` } });
    console.setSession(await signed({}));
    const paths: string[] = [];
    issuer.it.onRequest = (path) => paths.push(path);
    for (const wait of [0, 14_999, 1]) {
      now += wait;
      expect((await console.call('GET context')).status).toBe(503);
    }
    expect(paths).toHaveLength(2);
  });

  test('is refused at once for 15 s from the end of a slow failure on', async () => {
    let now = Date.now();
    const console = signedInConsole(issuer.it, { now: () => now, settings: { issuer: `${issuer.it.url}/missing` } });
    console.setSession(await signed({}));
    let reads = 0;
    issuer.it.onRequest = () => {
      reads++;
      now += 10_000;
    };
    for (const [wait, total] of [
      [0, 1],
      [14_999, 1],
      [1, 2],
    ] as const) {
      now += wait;
      expect([(await console.call('GET context')).status, reads]).toEqual([503, total]);
    }
  });

  test('stays valid for an hour while the provider does not answer, if it did before', async () => {
    let now = Date.now();
    const console = signedInConsole(issuer.it, { now: () => now, settings: { sessionMinutes: 720 } });
    console.setSession(await signed({ exp: seconds() + 200 * MINUTE }));
    const statuses = [];
    for (const minutes of [0, 11, 48, 11]) {
      now += minutes * 60_000;
      statuses.push((await console.call('GET context')).status);
      issuer.it.isDown = true;
    }
    issuer.it.isDown = false;
    expect(statuses).toEqual([200, 200, 200, 503]);
  });

  test('stays valid while the provider publishes no keys', async () => {
    let now = Date.now();
    const console = signedInConsole(issuer.it, { now: () => now });
    console.setSession(await signed({}));
    expect((await console.call('GET context')).status).toBe(200);
    const known = issuer.it.keys.splice(0);
    now += 11 * 60_000;
    expect((await console.call('GET context')).status).toBe(200);
    issuer.it.keys.push(...known);
  });

  test('is neither valid nor ended while the provider does not answer', async () => {
    const settings = { issuer: 'http://127.0.0.1:1' };
    expect(await answerTo(await signed({}), { settings })).toEqual([503, 'provider-unavailable']);
  });
});

test.each([...Object.keys(RIGHTS), 'GET environments/:env/live', 'GET nothing', 'DELETE context'])(
  '%s needs a session',
  async (request) => {
    const { status, json } = await signedInConsole(issuer.it).call(request);
    expect([status, json.error.code]).toEqual([401, 'sign-in-required']);
  },
);

test.each([
  '/console/%61pi/context',
  '/console/x/../api/context',
  '/console/api//context',
  '/console/api/context/',
  '/console/api',
])('%s is a part of the API, and needs a session', async (path) => {
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect((await signedInConsole(issuer.it).request(path, { method })).status).toBe(401);
  }
});

describe('a request with a session', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['of a page of another site', { origin: 'https://evil.example' }],
    ['of a page of this origin without TLS', { origin: 'http://console.example' }],
    ['of a frame without an origin', { origin: 'null' }],
    ['whose browser names another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another console at the same provider of addresses', { 'sec-fetch-site': 'same-site' }],
    ['that a form can send', { 'x-console-token': undefined }],
  ])('is refused if it is one %s', async (_, headers) => {
    const console = signedInConsole(issuer.it);
    console.setSession(await signed({}));
    for (const path of [`${API_PATH}context`, '/sign-out', '/sign-in/refresh']) {
      const method = path.startsWith(API_PATH) ? 'GET' : 'POST';
      expect((await console.request(path, { method, headers })).status).toBe(403);
    }
    expect(console.cookies.has('__Host-session')).toBe(true);
  });

  test('is refused if the page believes to act for another person', async () => {
    const console = signedInConsole(issuer.it);
    console.setSession(await signed({ sub: 'ann-1' }));
    const { person } = (await console.call('GET context')).json;
    const ask = (named: string) =>
      console.request(`${API_PATH}context`, { headers: { 'x-console-person': named } }).then((answer) => answer.json());
    expect(await ask(person)).toMatchObject({ person: 'ann-1' });
    console.setSession(await signed({ sub: 'bob-2', groups: [] }));
    expect(await ask(person)).toMatchObject({ error: { code: 'other-person' } });
  });

  test('does not depend on the name of the host', async () => {
    const console = signedInConsole(issuer.it);
    console.setSession(await signed({}));
    const headers = { host: 'evil.example', origin: 'https://evil.example' };
    expect((await console.request(`${API_PATH}context`, { headers })).status).toBe(403);
  });
});
