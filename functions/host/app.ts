import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import type { Registry } from 'prom-client';
import { corsPolicy } from '../../shared/protocol/cors.ts';
import { createApp, type HttpDeps, routing } from '../http/app.ts';
import { READ_METHODS, refuseOtherMethods } from '../http/otherMethods.ts';
import { isOneOf } from './hostHeader.ts';

/** What the host's HTTP endpoints need. */
interface HostAppDeps extends HttpDeps {
  /** What is served at `/metrics` next to them. */
  readonly registry?: Registry;
  /** Called with each answer: by what route of ours, however many paths there are, its status, and how long it took. */
  readonly onAnswered: (route: string, status: number, seconds: number) => void;
}

/** The HTTP endpoints as the host serves them: FeatBit's and OFREP's, with CORS, which API Gateway adds elsewhere. */
export function createHostApp({ registry, onAnswered, ...deps }: HostAppDeps): Hono {
  const { allowMethods, allowHeaders, exposeHeaders, maxAgeSeconds: maxAge } = corsPolicy;
  const app = new Hono(routing);
  // Before what follows, so that no page may read it.
  if (registry) app.route('/', createMetricsApp(registry));
  app.use('*', async (context, next) => {
    const startedAt = performance.now();
    await next();
    const route = routePath(context);
    onAnswered(route.includes('*') ? 'other' : route, context.res.status, (performance.now() - startedAt) / 1_000);
  });
  app.use('*', cors({ origin: '*', allowMethods, allowHeaders, exposeHeaders, maxAge }));
  app.route('/', createApp(deps));
  return app;
}

/**
 * An app that answers by certain names only, and others with 403: a page of another site can have its own name resolve to the
 * host's address (DNS rebinding). WebSockets need no such check, since browsers let any page open them; they take a token.
 */
export function onlyByNames(app: Hono, names: readonly string[]): Hono {
  const outer = new Hono(routing);
  outer.use('*', async (context, next) => {
    if (isOneOf(names, context.req.header('host'))) return next();
    return context.json({ message: `this host answers to ${names.join(', ')}; HOST_NAMES adds names` }, 403);
  });
  return outer.route('/', app);
}

/** Prometheus's endpoint alone. */
export function createMetricsApp(registry: Registry): Hono {
  return new Hono(routing)
    .get('/metrics', async (context) =>
      context.body(await registry.metrics(), 200, { 'content-type': registry.contentType }),
    )
    .all('/metrics', refuseOtherMethods(READ_METHODS));
}
