import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { routePath } from 'hono/route';
import type { Registry } from 'prom-client';
import { corsPolicy } from '../../../shared/protocol/cors.ts';
import { createApp, type HttpDeps, routing } from '../../http/app.ts';
import { READ_METHODS, refuseOtherMethods } from '../../http/otherMethods.ts';
import { Allowance } from '../budgets/allowance.ts';
import { isOneOf } from '../server/hostHeader.ts';
import { type AnswerTimes, serveDirectly } from './direct.ts';

/** How the host's responses are measured. */
interface Measured extends AnswerTimes {
  /** Content of `/metrics` on the same port. */
  readonly registry?: Registry | undefined;
}

/** The host's HTTP endpoints of FeatBit and OFREP, with CORS. In the serverless design, API Gateway adds CORS. */
export function createHostApp(deps: HttpDeps, { registry, monotonic, onAnswered }: Measured): Hono {
  const { allowMethods, allowHeaders, exposeHeaders, maxAgeSeconds: maxAge } = corsPolicy;
  const app = new Hono(routing);
  // Added before the CORS middleware, so that web pages cannot read it.
  if (registry) app.route('/', createMetricsApp(registry, monotonic));
  app.use('*', async (context, next) => {
    const startedAt = monotonic();
    await next();
    const route = routePath(context);
    onAnswered(route.includes('*') ? 'other' : route, context.res.status, (monotonic() - startedAt) / 1_000);
  });
  app.options('*', cors({ origin: '*', allowMethods, allowHeaders, maxAge }));
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposeHeaders.join(),
  };
  // Not by hono's middleware, which makes every response three times to add two headers.
  app.use('*', (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return next();
  });
  const endpoints = createApp(deps);
  app.route('/', endpoints.app);
  serveDirectly(app, endpoints.evaluations, { headers, monotonic, onAnswered });
  return app;
}

/**
 * An app that answers only requests for certain host names, and others with 403. This prevents DNS rebinding: a foreign
 * page could reach the app through a name that resolves to the host's address. WebSockets require a token, so they need
 * no such check.
 *
 * @param names all if undefined
 */
export function onlyByNames(app: Hono, names: readonly string[] | undefined): Hono {
  if (!names) return app;
  const outer = new Hono(routing);
  outer.use('*', async (context, next) => {
    if (isOneOf(names, context.req.header('host'))) return next();
    return context.json({ message: `this host only answers to ${names.join(', ')}; add names to HOST_NAMES` }, 403);
  });
  return outer.route('/', app);
}

/**
 * The Prometheus endpoint only. Callers need no key, so they share a text, of which one is made each second on average.
 *
 * @param monotonic milliseconds
 */
export function createMetricsApp(registry: Registry, monotonic: () => number): Hono {
  const texts = new Allowance(1);
  let text: Promise<string> | undefined;
  const readText = () => {
    if (texts.take(1, monotonic())) text = undefined;
    text ??= registry.metrics();
    return text;
  };
  return new Hono(routing)
    .get('/metrics', async (context) => context.body(await readText(), 200, { 'content-type': registry.contentType }))
    .all('/metrics', refuseOtherMethods(READ_METHODS));
}
