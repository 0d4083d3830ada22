import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { HonoRequest } from 'hono';
import type { Environments } from '../../shared/store/environments/environments.ts';
import { TOKEN_HEADER } from '../api.ts';
import type { Access, ConsoleContext } from './consoleContext.ts';
import { RequestError } from './failure.ts';
import { openConsole } from './handlers.ts';

/** Host names of this machine in a browser. Any other name may belong to a foreign site that resolves to 127.0.0.1. */
const OWN_NAME = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const OWN_ADDRESS = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Access to a console on this machine, for Hono's Node adapter: its own pages that have the token.
 *
 * @param token which requests must have
 */
export function localAccess(consoleContext: ConsoleContext, token: string): Access {
  const requireToken = tokenCheck(token);
  const opened = openConsole(consoleContext);
  return {
    admit: ({ req, env }) => {
      const { incoming } = env as HttpBindings;
      requireThisMachine(req.header('host'), incoming.socket.remoteAddress);
    },
    identify: async ({ req }) => {
      requireOwnPage(req, `http://${req.header('host')}`);
      requireToken(req.header(TOKEN_HEADER));
      return async () => opened;
    },
  };
}

/**
 * Refuses requests of other machines, and of other names of this machine. This prevents DNS rebinding: a foreign site can
 * resolve its name to 127.0.0.1 and then read local responses. Its browser still sends that name.
 *
 * @throws {RequestError}
 */
function requireThisMachine(host = '', address = ''): void {
  if (!OWN_ADDRESS.test(address)) {
    throw new RequestError('foreign-origin', 'the console answers only requests from the machine that it runs on');
  }
  if (!OWN_NAME.test(host)) {
    throw new RequestError('foreign-origin', 'the console is at http://127.0.0.1, and answers to no other name');
  }
}

/**
 * Refuses requests of pages of other sites or ports. Browsers set `Sec-Fetch-Site`, and pages cannot change it.
 *
 * @param own the console's origin
 * @throws {RequestError}
 */
export function requireOwnPage(request: Pick<HonoRequest, 'header'>, own: string): void {
  const [origin, fetchSite] = [request.header('origin'), request.header('sec-fetch-site')];
  const isOwn = origin === undefined || origin.toLowerCase() === own.toLowerCase();
  if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin')) return;
  throw new RequestError('foreign-origin', 'the console’s API answers no page but the console’s own');
}

/** A random token of 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares a token with the expected one in constant time. */
function tokenCheck(expected: string): (given: string | undefined) => void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const known = digest(expected);
  return (given) => {
    if (timingSafeEqual(digest(given ?? ''), known)) return;
    throw new RequestError(
      'token-required',
      given
        ? 'This console link has expired. Open the one that the terminal shows now.'
        : 'The access token is missing. Open the link that the terminal shows: it has the token.',
    );
  };
}

/**
 * Refuses an unconfirmed change of a production environment, and a change without a required reason. The settings may
 * have changed after the page was opened.
 *
 * @param env its id. Empty for requests without an environment
 * @param takesRemark whether the request changes flags or segments
 * @throws {RequestError} if `confirm` is not the id, {NotFound} if the environment does not exist
 */
export async function requireConfirmed(
  environments: Pick<Environments, 'find'>,
  env: string,
  body: unknown,
  takesRemark: boolean,
): Promise<void> {
  if (env === '') return;
  const { id, name, isProduction, requiresReason } = await environments.find(env);
  const { confirm, remark } = (body ?? {}) as { readonly confirm?: string; readonly remark?: string };
  if (isProduction && confirm !== id) {
    throw new RequestError(
      'confirmation-required',
      `environment "${name}" is marked as production: confirm the change`,
    );
  }
  if (takesRemark && requiresReason && !remark?.trim()) {
    throw new RequestError('reason-required', `environment "${name}" requires a reason for each change: enter one`);
  }
}
