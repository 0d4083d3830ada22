import { type Handler, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { printable } from '../../shared/protocol/printable.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import type { KnownKeys } from '../../shared/store/authenticate.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { registerAgentRoute } from './agent.ts';
import { type AuthenticatedEnv, GONE, requireSecret } from './auth.ts';
import { type BodyReservations, takeBody } from './body.ts';
import { type BodyGate, ungated } from './bodyGate.ts';
import { evaluateRoute } from './evaluate.ts';
import { inOne } from './inOne.ts';
import { type TrackDeps, trackRoute } from './insight.ts';
import { latestRoute } from './latest.ts';
import { createManifest } from './manifest.ts';
import { createOfrep } from './ofrep.ts';
import { READ_METHODS, refuseOtherMethods } from './otherMethods.ts';

/** Dependencies of the HTTP endpoints. */
export interface HttpDeps extends KnownKeys, TrackDeps {
  /** Resolves if the service is ready. @throws if it is not */
  readonly checkReadiness: () => Promise<void>;
  /** Delays large responses until there is memory for them. By default there is no delay. */
  readonly bodyGate?: BodyGate;
  /** Limits the memory of all bodies, and the time of each. By default there is no limit. */
  readonly bodies?: BodyReservations;
  /** Serves OFREP's event stream. Only for a process that holds connections. */
  readonly serveEventStream?: Handler;
}

/**
 * Paths ignore case and may end with a slash, as on FeatBit's server. Several slashes count as one: providers of OpenFeature append
 * `/ofrep/…` to a base URL that may end with a slash. For every app with these routes.
 */
export const routing = {
  getPath: (request: Request) =>
    getPath(request)
      .toLowerCase()
      .replaceAll(/\/{2,}/g, '/')
      .replace(/(?<=.)\/$/, ''),
};

/**
 * FeatBit's and OpenFeature's HTTP endpoints, for Lambda behind an HTTP API and for the host. The caller adds CORS headers
 * and answers preflights (`corsPolicy`).
 */
export function createApp({ bodyGate = ungated, bodies, ...deps }: HttpDeps) {
  const app = new Hono<AuthenticatedEnv>(routing);
  const limited = new LimitedLog(deps.now);
  const requireKnown = (type?: SecretType) => requireSecret(deps.secrets, limited, type);

  app.get('/health/liveness', (context) => context.text('Healthy'));
  app.get('/health/readiness', async (context) => {
    try {
      await deps.checkReadiness();
      return context.text('Healthy');
    } catch (error) {
      limited.error('not ready', { error: error as Error });
      return context.text('Unhealthy', 503, RETRY_AFTER);
    }
  });
  app.all('/health/:check{liveness|readiness}', refuseOtherMethods(READ_METHODS));

  const received = takeBody(bodies);
  const known = [requireKnown(), received];
  const serverLatest = '/api/public/sdk/server/latest-all';
  app.get(serverLatest, requireKnown('server'), latestRoute('server', deps.snapshots, bodyGate));
  const posts = {
    '/api/public/sdk/client/latest-all': latestRoute('client', deps.snapshots, bodyGate),
    '/api/public/featureflag/evaluate': evaluateRoute(deps.snapshots, bodyGate, deps.usage),
    '/api/public/insight/track': trackRoute(deps),
  };
  for (const [path, route] of Object.entries(posts)) app.post(path, inOne(known, route));
  const register = '/api/public/agent/register';
  app.post(register, received, registerAgentRoute(deps.relays, limited));
  app.all(register, refuseOtherMethods('POST'));
  const ofrep = createOfrep({ ...deps, bodyGate, limited, received });
  app.route('/', ofrep.app);
  app.route('/', createManifest({ ...deps, bodyGate, limited }));

  // Like FeatBit, it checks the secret before it reports an unknown path or method.
  app.all(serverLatest, requireKnown(), refuseOtherMethods(READ_METHODS));
  for (const path of Object.keys(posts)) app.all(path, requireKnown(), refuseOtherMethods('POST'));
  app.all('*', requireKnown(), (context) => context.notFound());
  app.onError((error, context) => {
    if (error instanceof NotFound) return context.json({ message: GONE }, 403);
    limited.error('request failed', { error, path: printable(context.req.path) });
    return context.json({ message: 'the service cannot answer now; try again' }, 503, RETRY_AFTER);
  });
  return { app, evaluations: ofrep.evaluations };
}
