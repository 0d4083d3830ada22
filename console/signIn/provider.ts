import { createHmac } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'oauth4webapi';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import type { SignInSettings } from '../../shared/signIn/settings.ts';
import { PAGE_PATH, SIGN_IN_PATH } from '../api.ts';

/** How long the provider's addresses and keys are kept, in milliseconds, and how long those that were read for an unknown key. */
const KEPT_MS = 600_000;
const RENEWED_MS = 30_000;
/** How long after an answer the provider may fail, in milliseconds: people who are signed in can turn flags off meanwhile. */
const STALE_MS = 3_600_000;
/** How long a failure is kept. Otherwise each request of a flood would wait for the provider. */
const FAILED_MS = 15_000;
/** Maximum age of the person's last login at the provider, and of the console's sessions after it, in seconds. */
export const LONGEST_SESSION_SECONDS = 12 * 3_600;
/** Timeout of each request to the provider, and of reading its addresses and keys together, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** A provider on this machine may lack TLS. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost)[:/]/;

/** A sign-in that has begun. The browser keeps it in a cookie until the provider returns. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** What the provider issues, with the names of OAuth. */
export type Tokens = Pick<oauth.TokenEndpointResponse, 'id_token' | 'refresh_token'>;

/** What ID tokens are verified with. */
export interface Trusted {
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
}

export type Provider = ReturnType<typeof openProvider>;

/**
 * An OpenID provider: the code flow with PKCE, refresh and sign-out. ID tokens are verified elsewhere (`session.ts`).
 * All methods throw oauth4webapi's errors, or `TypeError` if the provider does not answer.
 *
 * @param secret the client's. Undefined for a public client
 * @param origin of the console, without a slash at the end
 * @param now unix milliseconds
 */
export function openProvider(
  { issuer, clientId, groupsClaim }: Pick<SignInSettings, 'issuer' | 'clientId' | 'groupsClaim'>,
  secret: string | undefined,
  origin: string,
  now: () => number,
) {
  const client: oauth.Client = { client_id: clientId };
  const home = `${origin}${PAGE_PATH}`;
  const sign = (text: string) =>
    createHmac('sha256', secret ?? '')
      .update(`${origin} ${text}`)
      .digest('base64url');
  const redirectUri = `${origin}${SIGN_IN_PATH}/done`;
  const isLocal = LOOPBACK.test(issuer);
  const options = { signal: () => AbortSignal.timeout(TIMEOUT_MS), [oauth.allowInsecureRequests]: isLocal };
  const readNow = async () => {
    const url = new URL(issuer);
    const signal = options.signal();
    const response = await oauth.discoveryRequest(url, { ...options, signal });
    const server = await oauth.processDiscoveryResponse(url, response);
    const { jwks_uri: keysUrl = '', authorization_endpoint: signInUrl = '', end_session_endpoint: signOutUrl } = server;
    const insecure = [keysUrl, signInUrl, signOutUrl ?? keysUrl].find((each) => !each.startsWith('https:'));
    if (insecure !== undefined && !isLocal) throw new TypeError(`it publishes an address without TLS: ${insecure}`);
    const answer = await fetch(keysUrl, { signal, redirect: 'error' });
    const published = (await answer.json()) as JSONWebKeySet;
    // Otherwise an error could take the place of the known keys.
    if (!answer.ok || !published.keys?.length) throw new TypeError('it publishes no keys');
    return { at: now(), server, keys: createLocalJWKSet(published) };
  };
  let last: Awaited<ReturnType<typeof readNow>> | undefined;
  const read = async () => {
    try {
      last = await readNow();
    } catch (error) {
      if (!last || now() - last.at > STALE_MS) throw error;
    }
    return last;
  };
  const keep = keepAnswers<Awaited<ReturnType<typeof read>>>(KEPT_MS, 1, FAILED_MS, now);
  const keepRenewed = keepAnswers<Awaited<ReturnType<typeof read>>>(RENEWED_MS, 1, FAILED_MS, now);
  const discover = async () => {
    const kept = await keep('', now(), read);
    // A renewal may have read newer keys: a key that the provider withdrew counts no longer.
    return last ?? kept;
  };
  const authenticate = ({ token_endpoint_auth_methods_supported: methods = [] }: oauth.AuthorizationServer) => {
    if (secret === undefined) return oauth.None();
    return methods.includes('client_secret_post') ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
  };
  return {
    /** Adds a signature of this console. The provider issues tokens elsewhere too. Without a secret, the key is empty: anyone can sign. */
    seal: (idToken: string): string => `${idToken}.${sign(idToken)}`,

    /** The issuer of its tokens, exactly as it names itself, and its keys. */
    trusted: async (): Promise<Trusted> => {
      const { server, keys } = await discover();
      const keyFor: JWTVerifyGetKey = async (...token) => {
        try {
          return await keys(...token);
        } catch (error) {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          return (await keepRenewed('', now(), read)).keys(...token);
        }
      };
      return { issuer: server.issuer, keys: keyFor };
    },

    /** Begins a sign-in. The browser goes to `url`. */
    begin: async (): Promise<{ readonly url: string; readonly pending: Pending }> => {
      const { server } = await discover();
      const pending = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      };
      // Okta sends groups, and many providers send refresh tokens, only for a scope. Google refuses unknown scopes.
      const optional = ['offline_access', groupsClaim].filter((scope) => server.scopes_supported?.includes(scope));
      const url = new URL(server.authorization_endpoint ?? '');
      for (const [name, value] of Object.entries({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: [...new Set(['openid', 'profile', 'email', ...optional])].join(' '),
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
        max_age: String(LONGEST_SESSION_SECONDS),
      })) {
        url.searchParams.set(name, value);
      }
      return { url: url.href, pending };
    },

    /** Redeems the code of an answer, after checking its state, nonce and issuer. */
    redeem: async (answer: URLSearchParams, { state, nonce, verifier }: Pending): Promise<Tokens> => {
      const { server } = await discover();
      const code = oauth.validateAuthResponse(server, client, answer, state);
      const { authorizationCodeGrantRequest: grant, processAuthorizationCodeResponse: process } = oauth;
      const response = await grant(server, client, authenticate(server), code, redirectUri, verifier, options);
      return process(server, client, response, { expectedNonce: nonce, requireIdToken: true });
    },

    /** New tokens. Some providers send no ID token. */
    refresh: async (refreshToken: string): Promise<Tokens> => {
      const { server } = await discover();
      const auth = authenticate(server);
      const response = await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, options);
      return oauth.processRefreshTokenResponse(server, client, response);
    },

    /** Ends a refresh token, if the provider has an address for that. */
    revoke: async (refreshToken: string): Promise<void> => {
      const { server } = await discover();
      if (server.revocation_endpoint === undefined) return;
      const response = await oauth.revocationRequest(server, client, authenticate(server), refreshToken, options);
      await oauth.processRevocationResponse(response);
    },

    /** Where the browser goes to end the session at the provider, or the page if the provider has no such address. */
    signOutUrl: async (idToken: string | undefined): Promise<string> => {
      const { server } = await discover();
      if (server.end_session_endpoint === undefined) return home;
      const url = new URL(server.end_session_endpoint);
      url.searchParams.set('client_id', clientId);
      // Cognito has a parameter of its own (https://docs.aws.amazon.com/cognito/latest/developerguide/logout-endpoint.html).
      const isCognito = new URL(issuer).hostname.startsWith('cognito-idp.');
      url.searchParams.set(isCognito ? 'logout_uri' : 'post_logout_redirect_uri', home);
      if (idToken && !isCognito) url.searchParams.set('id_token_hint', idToken);
      return url.href;
    },
  };
}
