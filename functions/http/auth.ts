import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { printable } from '../../shared/protocol/printable.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { authenticateSecret } from '../../shared/store/authenticate.ts';
import type { SecretCache } from '../../shared/store/environments/secretCache.ts';
import type { SecretGrant } from '../../shared/store/environments/secrets.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';

/** Why a key of a deleted environment is refused while the key is still cached. */
export const GONE = 'the environment was deleted';

/** The caller, for routes after {@link requireGrant}. */
export interface AuthenticatedEnv {
  Variables: { readonly grant: SecretGrant; readonly secret: string };
}

/** A request without the secret that it needs. */
type Refusal = Exclude<Awaited<ReturnType<typeof authenticateSecret>>, { readonly grant: SecretGrant }>;

/**
 * Requires the secret of an environment.
 *
 * @param limited logs refusals
 * @param keyOf finds the secret in a request
 * @param refuse answers a request without it
 * @param type the required type of the secret; any if omitted
 */
export function requireGrant(
  secrets: Pick<SecretCache, 'find'>,
  limited: LimitedLog,
  keyOf: (context: Context) => string | undefined,
  refuse: (context: Context, refusal: Refusal) => Response,
  type?: SecretType,
) {
  return createMiddleware<AuthenticatedEnv>(async (context, next) => {
    const found = await authenticateSecret(secrets, keyOf(context) ?? '', type);
    if ('grant' in found) {
      context.set('grant', found.grant);
      context.set('secret', found.secret);
      return next();
    }
    logRefusal(limited, context, found.reason);
    return refuse(context, found);
  });
}

/**
 * Requires an environment's secret in the `Authorization` header, without a scheme. A missing or malformed secret gets
 * 401. One that is unknown, revoked or of the wrong type gets 403. FeatBit checks only the format. Here, all data of an environment needs
 * its server key, because client keys are public.
 */
export function requireSecret(secrets: Pick<SecretCache, 'find'>, limited: LimitedLog, type?: SecretType) {
  const keyOf = (context: Context) => context.req.header('authorization');
  const refuse = (context: Context, { refused, reason: message }: Refusal) =>
    context.json({ message }, refused === 'malformed' ? 401 : 403);
  return requireGrant(secrets, limited, keyOf, refuse, type);
}

/**
 * Requires an environment's secret as OFREP clients send it: `Authorization: Bearer …` or `X-API-Key`. Any other
 * request gets 401, as the specification requires for missing, invalid or expired keys.
 */
export function requireApiKey(secrets: Pick<SecretCache, 'find'>, limited: LimitedLog) {
  return requireGrant(secrets, limited, apiKeyOf, (context, { reason: errorDetails }) =>
    context.json({ errorDetails }, 401, { 'www-authenticate': 'Bearer' }),
  );
}

/** The secret in `Authorization: Bearer …` or `X-API-Key`. A bearer counts if both are there. */
export function apiKeyOf(context: Context): string | undefined {
  const header = context.req.header('authorization') ?? '';
  const bearer = /^Bearer /i.test(header) ? header.slice('Bearer '.length).trim() : undefined;
  return bearer ?? context.req.header('x-api-key');
}

/** Logs a refused request. It is the caller's mistake, so the level is not a warning. */
export function logRefusal(limited: LimitedLog, context: Context, reason: string): void {
  limited.info('request refused', { reason, path: printable(context.req.path) });
}
