import { createMiddleware } from 'hono/factory';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { authenticateSecret } from '../../shared/store/authenticate.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { SecretGrant } from '../../shared/store/secrets.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';
import { printable } from '../telemetry/log.ts';

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
    limited.warn('request refused', { reason: found.reason, path: printable(context.req.path) });
    return found.refused === 'malformed' ? context.body(null, 401) : context.json({ message: found.reason }, 403);
  });
}
