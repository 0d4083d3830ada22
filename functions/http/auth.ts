import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { printable } from '../../shared/protocol/printable.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { authenticateSecret } from '../../shared/store/authenticate.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { SecretGrant } from '../../shared/store/secrets.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';

/** What routes behind {@link requireSecret} know of the caller. */
export interface AuthenticatedEnv {
  Variables: { readonly grant: SecretGrant };
}

/**
 * Lets requests through whose `Authorization` header is an environment's secret, with no scheme before it. Missing or
 * malformed: 401. Unknown, revoked, or not of the type asked for: 403 (docs/decisions/0004-http-authentication.md).
 *
 * @param limited logs refusals
 * @param type the type that the secret must have; any when omitted
 */
export function requireSecret(secrets: Pick<SecretCache, 'find'>, limited: LimitedLog, type?: SecretType) {
  return createMiddleware<AuthenticatedEnv>(async (context, next) => {
    const found = await authenticateSecret(secrets, context.req.header('authorization') ?? '', type);
    if ('grant' in found) {
      context.set('grant', found.grant);
      return next();
    }
    logRefusal(limited, context, found.reason);
    return found.refused === 'malformed' ? context.body(null, 401) : context.json({ message: found.reason }, 403);
  });
}

/** What routes behind {@link requireApiKey} know of the caller. */
export interface ApiKeyEnv {
  Variables: AuthenticatedEnv['Variables'] & { readonly secret: string };
}

/**
 * Lets requests through that carry an environment's secret as OFREP's clients send it: `Authorization: Bearer …`, or
 * `X-API-Key`. Any other: 401, as the specification has it for keys that are missing, invalid or expired.
 */
export function requireApiKey(secrets: Pick<SecretCache, 'find'>, limited: LimitedLog) {
  return createMiddleware<ApiKeyEnv>(async (context, next) => {
    const header = context.req.header('authorization') ?? '';
    const bearer = /^Bearer /i.test(header) ? header.slice('Bearer '.length).trim() : undefined;
    const found = await authenticateSecret(secrets, bearer ?? context.req.header('x-api-key') ?? '');
    if ('grant' in found) {
      context.set('grant', found.grant);
      context.set('secret', found.secret);
      return next();
    }
    logRefusal(limited, context, found.reason);
    return context.json({ errorDetails: found.reason }, 401, { 'www-authenticate': 'Bearer' });
  });
}

/** Logs a refused request. It is the caller's mistake, so it is no warning. */
export function logRefusal(limited: LimitedLog, context: Context, reason: string): void {
  limited.info('request refused', { reason, path: printable(context.req.path) });
}
