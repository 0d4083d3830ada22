import type { Hono, Context as HonoContext } from 'hono';
import { html, raw } from 'hono/html';
import { decodeJwt } from 'jose';
import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import type { SignInSettings } from '../../shared/signIn/settings.ts';
import { PAGE_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from '../api.ts';
import { ERROR_STATUS } from '../errors.ts';
import type { BuiltPage } from '../page/build.ts';
import type { ConsoleEnv } from '../server/consoleContext.ts';
import { RequestError } from '../server/failure.ts';
import type { Provider } from './provider.ts';
import {
  dropCookie,
  ended,
  readCookie,
  readRefresh,
  readSession,
  startSession,
  unavailable,
  verifyToken,
  writeCookie,
} from './session.ts';

/** How long a sign-in may take at the provider, in seconds. */
const PENDING_SECONDS = 600;
/** How long the browser may take to the provider's sign-out, in seconds. */
const LEAVING_SECONDS = 60;
/** Maximum length of a provider's text in a message, in characters. */
const QUOTED = 300;

interface RouteDeps {
  readonly settings: SignInSettings;
  readonly provider: Provider;
  /** Refuses requests that this site's page did not send. @throws {RequestError} */
  readonly requireOwnPage: (context: HonoContext) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Adds the routes of the sign-in: those that a browser visits, which answer with pages, and those that the page calls.
 * No address of a request is a return address.
 */
export function addSignInRoutes(
  app: Hono<ConsoleEnv>,
  page: Promise<BuiltPage>,
  { settings, provider, requireOwnPage, now }: RouteDeps,
): void {
  const verify = (token: string, at: number) => verifyToken(token, settings, provider.trusted, at);
  app.use(`${SIGN_IN_PATH}/*`, async (context, next) => {
    context.header('Cache-Control', 'no-store');
    await next();
  });

  app.get(SIGN_IN_PATH, (context) =>
    orPage(context, page, async () => {
      const { url, pending } = await provider.begin();
      const { state, nonce, verifier } = pending;
      const popup = context.req.query('popup') === undefined ? '' : 'popup';
      writeCookie(context, 'signin', [state, nonce, verifier, popup].join('.'), PENDING_SECONDS, 'Lax');
      return context.redirect(url);
    }),
  );

  app.get(`${SIGN_IN_PATH}/done`, (context) =>
    orPage(context, page, async () => {
      const [state = '', nonce = '', verifier = '', popup = ''] = (readCookie(context, 'signin') ?? '').split('.');
      const answer = new URL(context.req.url).searchParams;
      // Otherwise the answer is to a sign-in in another tab, or a link of another site.
      if (answer.get('state') === state) dropCookie(context, 'signin');
      if (!verifier) throw new RequestError('bad-request', 'this sign-in has ended, or began in another browser');
      try {
        const tokens = await provider.redeem(answer, { state, nonce, verifier });
        startSession(context, provider, tokens, await verify(tokens.id_token ?? '', now()), settings, now());
      } catch (error) {
        // The page says that nobody is signed in: the person before may have left the browser to this one.
        if (answer.get('state') === state)
          for (const name of ['session', 'refresh'] as const) dropCookie(context, name);
        throw error;
      }
      return context.redirect(popup ? `${PAGE_PATH}#signed-in` : PAGE_PATH, 303);
    }),
  );

  app.post(`${SIGN_IN_PATH}/refresh`, async (context) => {
    requireOwnPage(context);
    const session = readSession(context, provider.seal);
    const { endsAt, refreshToken } = readRefresh(context);
    if (!session || !refreshToken || endsAt * 1_000 <= now()) throw ended();
    // First: without a session, nobody sends requests to the provider.
    const owner = await ownerOf(session);
    const tokens = await provider.refresh(refreshToken).catch((error) => {
      // Entra's codes for a person who must act end in `_required`, such as `interaction_required`. Other codes mean an outage or a wrong setting.
      const isEnded = error instanceof ResponseBodyError && /_grant$|_required$/.test(error.error);
      throw isEnded ? ended() : unavailable(error);
    });
    const claims = await verify(tokens.id_token ?? '', now());
    if (claims.sub !== owner) throw ended();
    // Without a new refresh token, the old one stays valid (RFC 6749, 6).
    startSession(context, provider, { refresh_token: refreshToken, ...tokens }, claims, settings, now(), endsAt);
    return context.json({});
  });

  app.post(SIGN_OUT_PATH, async (context) => {
    requireOwnPage(context);
    const session = readSession(context, provider.seal);
    const { refreshToken } = readRefresh(context);
    if (session && refreshToken) {
      const revoke = () => provider.revoke(refreshToken);
      // A person can leave even if the provider does not answer.
      await ownerOf(session)
        .then(revoke)
        .catch(() => {});
    }
    dropCookie(context, 'session');
    dropCookie(context, 'refresh');
    // The provider wants the token as a hint. The page must not see it.
    if (session) writeCookie(context, 'signout', session, LEAVING_SECONDS);
    return context.json({});
  });

  app.get(`${SIGN_IN_PATH}/out`, (context) =>
    orPage(context, page, async () => {
      const hint = readCookie(context, 'signout');
      dropCookie(context, 'signout');
      return context.redirect(await provider.signOutUrl(hint), 303);
    }),
  );

  /** The person of a session, which may have expired. */
  async function ownerOf(session: string): Promise<string | undefined> {
    try {
      return (await verify(session, (decodeJwt(session).iat ?? 0) * 1_000)).sub;
    } catch (error) {
      throw error instanceof RequestError ? error : ended();
    }
  }
}

/** Answers a browser, which shows a failure as a page. */
async function orPage(context: HonoContext, page: Promise<BuiltPage>, answer: () => Promise<Response>) {
  try {
    return await answer();
  } catch (error) {
    const { code, message } = problemOf(error).answer;
    const [head = ''] = (await page).html.replaceAll('href="style', `href="${PAGE_PATH}style`).split('<body>');
    return context.html(
      html`${raw(head)}<body><main class="card gate"><h1>You are not signed in</h1>
<p role="alert">${message}</p><p><a href="${SIGN_IN_PATH}">Sign in again</a></p></main></body></html>`,
      ERROR_STATUS[code],
    );
  }
}

function problemOf(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const { error: code, error_description: description = '' } = error;
    return new RequestError(
      'bad-request',
      `the identity provider answered ${`${code} ${description}`.slice(0, QUOTED)}`,
    );
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return new RequestError('bad-request', 'the identity provider refused the console’s client id or secret');
  if (!(error instanceof OperationProcessingError)) return unavailable(error);
  return new RequestError('bad-request', `the identity provider’s answer is not valid: ${error.message}`);
}
