import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { Registry } from 'prom-client';
import { corsPolicy } from '../../shared/protocol/cors.ts';
import { createApp, type HttpParts, routing } from '../http/app.ts';

/** What the host's HTTP endpoints need. */
interface HostAppParts extends HttpParts {
  readonly registry: Registry;
}

/** The HTTP endpoints as the host serves them: FeatBit's and OFREP's, with CORS, which API Gateway adds elsewhere, and `/metrics`. */
export function createHostApp(parts: HostAppParts): Hono {
  const { registry } = parts;
  const { allowMethods, allowHeaders, exposeHeaders, maxAgeSeconds: maxAge } = corsPolicy;
  const app = new Hono(routing);
  app.use('*', cors({ origin: '*', allowMethods, allowHeaders, exposeHeaders, maxAge }));
  app.get('/metrics', async (context) => {
    const text = await registry.metrics();
    return context.body(text, 200, { 'content-type': registry.contentType });
  });
  app.route('/', createApp(parts));
  return app;
}
