import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { manifestJson } from '../../shared/protocol/manifest.ts';
import { printable } from '../../shared/protocol/printable.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { type AuthenticatedEnv, apiKeyOf, GONE, logRefusal, requireGrant } from './auth.ts';
import type { OfrepDeps } from './ofrep.ts';
import { READ_METHODS } from './otherMethods.ts';
import { sendTaggedJson } from './taggedJson.ts';

/** Dependencies of the endpoint. */
type ManifestDeps = Pick<OfrepDeps, 'secrets' | 'snapshots' | 'bodyGate' | 'limited'>;

const MANIFEST = '/openfeature/v0/manifest';
/** The paths by which the API changes flags. */
const WRITES = [`${MANIFEST}/flags`, `${MANIFEST}/flags/:key`];
const READ_ONLY = 'the manifest is read-only; change flags in the console or on the command line';

/** The reading half of the Manifest Management API 0.1.0 of the OpenFeature CLI. */
export function createManifest({ secrets, snapshots, bodyGate, limited }: ManifestDeps): Hono<AuthenticatedEnv> {
  const app = new Hono<AuthenticatedEnv>();
  /**
   * Requires a server secret: `Authorization: Bearer …`, as the CLI sends it, `X-API-Key`, or `Authorization` without a scheme.
   * A client secret is public, and must not show the names and descriptions of all flags.
   */
  const requireKey = requireGrant(
    secrets,
    limited,
    (context) => apiKeyOf(context) ?? context.req.header('authorization'),
    (context, { reason }) => refuse(context, 401, reason, { 'www-authenticate': 'Bearer' }),
  );
  const requireServerKey = createMiddleware<AuthenticatedEnv>(async (context, next) => {
    if (context.get('grant').type === 'server') return next();
    const reason = 'the manifest needs a server key; this is a client key';
    logRefusal(limited, context, reason);
    return refuse(context, 403, reason);
  });

  app.get(MANIFEST, requireKey, requireServerKey, async (context) => {
    const { snapshot } = await snapshots.read(context.get('grant').envId);
    context.header('x-manifest-capabilities', 'read');
    return sendTaggedJson(context, bodyGate, () => manifestJson(snapshot.flags.map(({ document }) => document)));
  });
  app.all(MANIFEST, (context) => refuse(context, 405, READ_ONLY, { allow: READ_METHODS }));
  app.on('ALL', WRITES, (context) => refuse(context, 405, READ_ONLY, { allow: '' }));
  app.all('/openfeature/*', requireKey, requireServerKey, (context) =>
    refuse(context, 404, `this service only has ${MANIFEST}`),
  );
  app.onError((error, context) => {
    if (error instanceof NotFound) return refuse(context, 401, GONE, { 'www-authenticate': 'Bearer' });
    limited.error('request failed', { error, path: printable(context.req.path) });
    return refuse(context, 500, 'the service cannot answer now; try again', RETRY_AFTER);
  });
  return app;
}

/** An error as the API has it. */
function refuse(context: Context, status: ContentfulStatusCode, message: string, headers: Record<string, string> = {}) {
  return context.json({ error: { message, status } }, status, headers);
}
