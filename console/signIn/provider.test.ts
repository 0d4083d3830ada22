import { afterEach, expect, test } from '@jest/globals';
import { openProvider } from './provider.ts';

const ISSUER = 'https://id.example.com';
const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

/**
 * A provider that publishes what is given, and what its token endpoint was sent.
 *
 * @param metadata replaces that of a usual provider
 */
function provide(metadata: Readonly<Record<string, unknown>>, secret?: string) {
  const issuer = String(metadata['issuer'] ?? ISSUER);
  const sent: { readonly authorization: string | null; readonly body: URLSearchParams }[] = [];
  const at = (path: string) => `${ISSUER}/${path}`;
  const published = {
    issuer,
    jwks_uri: at('keys'),
    authorization_endpoint: at('authorize'),
    token_endpoint: at('token'),
    ...metadata,
  };
  globalThis.fetch = (async (url: string, init: RequestInit = {}) => {
    if (String(url) === at('keys')) return Response.json({ keys: [{ kty: 'RSA' }] });
    if (String(url) !== at('token')) return Response.json(published);
    sent.push({
      authorization: new Headers(init.headers).get('authorization'),
      body: new URLSearchParams(String(init.body)),
    });
    return Response.json({ access_token: 'unused', token_type: 'Bearer' });
  }) as unknown as typeof fetch;
  return { provider: openProvider({ issuer, clientId: 'c', groupsClaim: 'g' }, secret, 'https://c', Date.now), sent };
}

test.each([
  ['keys', { jwks_uri: 'http://id.example.com/keys' }],
  ['a sign-out', { end_session_endpoint: 'http://id.example.com/out' }],
  ['a page', { authorization_endpoint: 'http://id.example.com/authorize' }],
])('a provider with %s at an address without TLS is not used', async (_, change) => {
  const { provider } = provide(change);
  await expect(provider.begin()).rejects.toThrow('it publishes an address without TLS: http://id.example.com/');
});

const home = encodeURIComponent('https://c/console/');
const end_session_endpoint = `${ISSUER}/out`;

test.each([
  [
    'with a hint and the way back',
    { end_session_endpoint },
    `${ISSUER}/out?client_id=c&post_logout_redirect_uri=${home}&id_token_hint=t`,
  ],
  [
    'of Cognito without a hint, with its own parameter',
    { issuer: 'https://cognito-idp.eu-west-1.amazonaws.com/pool', end_session_endpoint },
    `${ISSUER}/out?client_id=c&logout_uri=${home}`,
  ],
  ['that does not exist, but to the page', {}, 'https://c/console/'],
])('a sign-out leads to the provider’s %s', async (_, metadata, expected) => {
  expect(await provide(metadata).provider.signOutUrl('t')).toBe(expected);
});

test.each<[string, readonly string[] | undefined, string | undefined, string | null, Record<string, string>]>([
  ['in the body', ['client_secret_basic', 'client_secret_post'], 's', null, { client_id: 'c', client_secret: 's' }],
  ['in a header', ['client_secret_basic'], 's', `Basic ${btoa('c:s')}`, {}],
  ['in a header, as is usual', undefined, 's', `Basic ${btoa('c:s')}`, {}],
  ['nowhere, of a public client', ['client_secret_post'], undefined, null, { client_id: 'c' }],
])('the client secret is sent %s', async (_, methods, secret, header, body) => {
  const { provider, sent } = provide({ token_endpoint_auth_methods_supported: methods }, secret);
  await provider.refresh('r');
  expect(sent.map(({ authorization }) => authorization)).toEqual([header]);
  expect(Object.fromEntries(sent[0]?.body ?? [])).toEqual({ grant_type: 'refresh_token', refresh_token: 'r', ...body });
});
