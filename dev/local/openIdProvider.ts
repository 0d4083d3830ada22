import { createHash, randomUUID } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { type Listening, LOOPBACK, listen } from '../emulator/listen.ts';

/** Maximum number of codes and refresh tokens that are kept. */
const KEPT_GRANTS = 1_000;
const GRACE_MS = 100;
const KEY_ID = 'known';

interface Grant {
  readonly claims: JWTPayload;
  /** Who signed in, if the provider knows several persons. */
  readonly as: string;
  /** Of a code: the challenge of PKCE. */
  readonly challenge?: string | null;
}

/**
 * An OpenID provider on this machine, without passwords: the code flow with PKCE, refresh tokens, their revocation, and sign-out. For
 * `npm start -- --sign-in` and tests.
 */
export class OpenIdProvider {
  readonly url: string;
  readonly clientId = 'console';
  /** Claims of who signs in next, if there is no page. */
  person: JWTPayload = { sub: 'ann-1', email: 'ann@shop.example', email_verified: true, groups: ['readers'] };
  /** Claims of several persons, by the name that the page sends as `as`. */
  people: Readonly<Record<string, JWTPayload>> = {};
  /** The page on which a person is chosen. @param query of the request, which the page sends again */
  page: ((query: URLSearchParams) => string | Promise<string>) | undefined;
  /** What a refresh brings: another refresh token, none, so that the old one stays valid; `never`: a sign-in brings none. */
  refreshTokens: 'new' | 'same' | 'never' = 'new';
  /** Whether it answers every request with an error. */
  isDown = false;
  /** Receives the path of each request. */
  onRequest: (path: string) => void = () => {};
  readonly keys: JWK[];
  readonly #listening: Listening;
  readonly #key: CryptoKey;
  readonly #grants = new Map<string, Grant>();

  private constructor(listening: Listening, key: CryptoKey, jwk: JWK) {
    this.#listening = listening;
    this.#key = key;
    this.keys = [jwk];
    this.url = `http://${listening.authority}`;
    const at = (path: string) => `${this.url}/${path}`;
    const metadata = {
      issuer: this.url,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      jwks_uri: at('keys'),
      end_session_endpoint: at('logout'),
      revocation_endpoint: at('revoke'),
      scopes_supported: ['openid', 'offline_access', 'groups'],
      authorization_response_iss_parameter_supported: true,
    };
    const app = new Hono();
    app.use(async (context, next) => {
      this.onRequest(context.req.path);
      return this.isDown ? context.body(null, 500) : next();
    });
    app.get('/.well-known/openid-configuration', (context) => context.json(metadata));
    app.get('/keys', (context) => context.json({ keys: this.keys }));
    app.get('/authorize', async (context) => {
      const { url } = context.req;
      const { searchParams } = new URL(url);
      if (this.page && !Object.hasOwn(this.people, searchParams.get('as') ?? ''))
        return context.html(await this.page(searchParams));
      return goTo(context, `${searchParams.get('redirect_uri')}?${this.authorize(url)}`);
    });
    app.post('/token', async (context) => {
      const tokens = await this.#redeem((await context.req.parseBody()) as Record<string, string>);
      return tokens ? context.json(tokens) : context.json({ error: 'invalid_grant' }, 400);
    });
    app.post('/revoke', async (context) => {
      const { token } = await context.req.parseBody();
      this.#grants.delete(String(token));
      return context.body(null);
    });
    app.get('/logout', (context) => goTo(context, context.req.query('post_logout_redirect_uri') ?? this.url));
    listening.open((server) => server.on('request', getRequestListener(app.fetch, { hostname: LOOPBACK })));
  }

  static async open(): Promise<OpenIdProvider> {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    return new OpenIdProvider(await listen(0), privateKey, { ...(await exportJWK(publicKey)), kid: KEY_ID });
  }

  /** What the provider answers to the browser for a sign-in: the query of the redirect URI. */
  authorize(location: string): URLSearchParams {
    const { searchParams: asked } = new URL(location);
    const as = asked.get('as') ?? '';
    const claims = { ...(this.people[as] ?? this.person), nonce: asked.get('nonce') };
    const code = this.#grant({ claims, as, challenge: asked.get('code_challenge') });
    return new URLSearchParams({ code, state: asked.get('state') ?? '', iss: this.url });
  }

  async #redeem({ code, refresh_token: given = '', code_verifier: verifier = '' }: Readonly<Record<string, string>>) {
    const name = code ?? given;
    const grant = this.#grants.get(name);
    const isRefresh = grant?.challenge === undefined;
    const isKept = isRefresh && this.refreshTokens === 'same';
    if (!isKept) this.#grants.delete(name);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (!grant || (!isRefresh && grant.challenge !== challenge)) return undefined;
    const { as } = grant;
    const claims = isRefresh ? (this.people[as] ?? this.person) : grant.claims;
    const tokens = { access_token: 'unused', token_type: 'Bearer', id_token: await this.sign(claims) };
    const isWithout = isKept || this.refreshTokens === 'never';
    return isWithout ? tokens : { ...tokens, refresh_token: this.#grant({ claims, as }) };
  }

  /** An ID token with these claims, which may replace all others. */
  sign(
    claims: JWTPayload = this.person,
    header: Partial<JWTHeaderParameters> = {},
    key: CryptoKey | Uint8Array = this.#key,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.url, aud: this.clientId, iat: now, exp: now + 3_600, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...header }).sign(key);
  }

  close(): Promise<void> {
    return this.#listening.stop(GRACE_MS);
  }

  #grant(grant: Grant): string {
    const name = randomUUID();
    const [oldest = ''] = this.#grants.keys();
    if (this.#grants.size >= KEPT_GRANTS) this.#grants.delete(oldest);
    this.#grants.set(name, grant);
    return name;
  }
}

/** Sends the browser to a page of this machine only: others would get codes. */
function goTo(context: Context, url: string): Response {
  return URL.canParse(url) && new URL(url).hostname === LOOPBACK
    ? context.redirect(url)
    : context.text('This provider is for this machine.', 400);
}
