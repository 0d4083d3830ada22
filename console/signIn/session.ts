import { timingSafeEqual } from 'node:crypto';
import type { Context as HonoContext } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { SignInSettings } from '../../shared/signIn/settings.ts';
import { RequestError } from '../server/failure.ts';
import { LONGEST_SESSION_SECONDS, type Provider, type Tokens, type Trusted } from './provider.ts';

/** Cookies, without `__Host-`: an unfinished sign-in, the sealed ID token, the refresh token with its end, the ID token of a session that was left. */
type Cookie = 'signin' | 'session' | 'refresh' | 'signout';

/** Browsers ignore a cookie whose name and value are longer, in bytes (RFC 6265bis, 5.5). */
const COOKIE_BYTES = 4_096;
const TOLERANCE_SECONDS = 30;
/** Signatures with a public key. With others, a public key would be a shared secret. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((bits) => family + bits));

/**
 * Verifies an ID token. Access tokens are refused, and those of another client.
 *
 * @param now unix milliseconds
 * @returns its claims
 * @throws {RequestError} if it is not valid now, or if the provider does not answer
 */
export async function verifyToken(
  token: string,
  { clientId, sessionMinutes }: SignInSettings,
  trusted: () => Promise<Trusted>,
  now: number,
): Promise<JWTPayload> {
  const { issuer, keys } = await trusted().catch((error) => {
    throw unavailable(error);
  });
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_SECONDS,
      maxTokenAge: sessionMinutes * 60,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(now),
    });
    const { token_use: use = 'id', typ: type = 'ID', aud, azp, sub } = payload;
    // Cognito, Keycloak, Entra and Auth0 mark access tokens in these ways, RFC 9068 in the header, and logout tokens have `events`.
    const isMarked = ['scp', 'scope', 'appid', 'events'].some((name) => payload[name] !== undefined);
    const isIdToken = /^JWT$/i.test(protectedHeader.typ ?? 'JWT') && use === 'id' && type === 'ID' && !isMarked;
    // With several audiences, the one that asked must be named (OpenID Connect Core, 3.1.3.7).
    const isOwn = azp === clientId || (azp === undefined && [aud].flat().length === 1);
    if (!isIdToken || !isOwn || typeof sub !== 'string' || sub === '') throw ended();
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw ended();
    throw error instanceof RequestError ? error : unavailable(error);
  }
}

/** @param error of a request to the provider */
export function unavailable(error: unknown): RequestError {
  const { message } = error as Error;
  return new RequestError(
    'provider-unavailable',
    `the identity provider does not answer: try again in a moment (${message})`,
  );
}

/** The error of a request without a valid session. */
export function ended(why = 'you are not signed in, or your session has ended: sign in'): RequestError {
  return new RequestError('sign-in-required', why);
}

/**
 * Reads a cookie. A second one of the same name makes both invalid: another site may have set it. So does a size that
 * no browser sends.
 */
export function readCookie(context: HonoContext, name: Cookie): string | undefined {
  const all = (context.req.header('cookie') ?? '').split(';').map((each) => each.split('=', 1)[0]?.trim());
  if (all.filter((each) => each === `__Host-${name}`).length !== 1) return undefined;
  const value = getCookie(context, name, 'host');
  return value && value.length <= COOKIE_BYTES ? value : undefined;
}

/** Reads the session's ID token. Without this console's signature, it may come from an address of the provider's sign-out. */
export function readSession(context: HonoContext, seal: Provider['seal']): string | undefined {
  const sealed = readCookie(context, 'session') ?? '';
  const idToken = sealed.slice(0, sealed.lastIndexOf('.'));
  const [given, expected] = [Buffer.from(sealed), Buffer.from(seal(idToken))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? idToken : undefined;
}

/** Reads the refresh token, and when its session ends, in unix seconds. */
export function readRefresh(context: HonoContext): { readonly endsAt: number; readonly refreshToken: string } {
  const [, endsAt = '0', refreshToken = ''] = /^(\d+)\.(.+)$/.exec(readCookie(context, 'refresh') ?? '') ?? [];
  return { endsAt: Number(endsAt), refreshToken };
}

/** Sets a cookie that only this site's server gets. @param sameSite `Lax` if the provider's page leads to it */
export function writeCookie(
  context: HonoContext,
  name: Cookie,
  value: string,
  seconds: number,
  sameSite: 'Lax' | 'Strict' = 'Strict',
): void {
  setCookie(context, name, value, { prefix: 'host', httpOnly: true, sameSite, maxAge: seconds });
}

/** Deletes a cookie of the browser. */
export function dropCookie(context: HonoContext, name: Cookie): void {
  deleteCookie(context, name, { prefix: 'host', httpOnly: true });
}

/**
 * Sets the cookies of a session. A refresh token that is too large for a cookie is left out: the session then ends with
 * its ID token.
 *
 * @param claims of the ID token
 * @param endsAt when the person must sign in again, in unix seconds. Default: in 12 h
 * @throws {RequestError} if the ID token is too large, if the provider left its groups out, or if the login there is too old
 */
export function startSession(
  context: HonoContext,
  { seal }: Provider,
  { id_token: idToken = '', refresh_token: refreshToken }: Tokens,
  claims: JWTPayload,
  { groupsClaim }: SignInSettings,
  now: number,
  endsAt = Math.floor(now / 1_000) + LONGEST_SESSION_SECONDS,
): void {
  // The browser's cookie has another end, which a person can change. A refresh does not change this claim.
  const loggedInAt = Number(claims['auth_time'] ?? Number.POSITIVE_INFINITY);
  if (loggedInAt + LONGEST_SESSION_SECONDS <= now / 1_000)
    throw ended('your login at the provider is older than 12 h, because it ignores max_age: sign out there first');
  const fits = (name: Cookie, value: string) => `__Host-${name}${value}`.length <= COOKIE_BYTES;
  const advice =
    'Have the provider send fewer groups: with Entra, app roles and the setting groupsClaim: roles; with others, a filter of groups.';
  if (Object.hasOwn(claims['_claim_names'] ?? {}, groupsClaim)) {
    throw new RequestError('no-access', `the provider left the groups out, because you are in too many. ${advice}`);
  }
  const sealed = seal(idToken);
  if (!fits('session', sealed)) {
    const size = `${sealed.length} bytes with its signature, and browsers keep at most ${COOKIE_BYTES} in a cookie`;
    throw new RequestError('no-access', `your token is too large: ${size}. ${advice}`);
  }
  const seconds = Math.min(endsAt - Math.floor(now / 1_000), LONGEST_SESSION_SECONDS);
  writeCookie(context, 'session', sealed, seconds);
  const refresh = `${endsAt}.${refreshToken}`;
  if (refreshToken && fits('refresh', encodeURIComponent(refresh))) writeCookie(context, 'refresh', refresh, seconds);
  else dropCookie(context, 'refresh');
}
