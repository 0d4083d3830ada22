import { Hono, type Context as HonoContext } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import { NestedTooDeep, parseForeignJson } from '../../shared/flags/nesting.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import { API_PATH, BODY_LIMIT_BYTES, PAGE_PATH, type Requests } from '../api.ts';
import { ERROR_STATUS } from '../errors.ts';
import type { BuiltPage } from '../page/build.ts';
import { RIGHTS } from '../rights.ts';
import { bodies, queries } from '../schemas.ts';
import type { Access, ConsoleEnv, HandlerInput } from './consoleContext.ts';
import { answerTo, RequestError } from './failure.ts';
import { requireConfirmed } from './guard.ts';
import { type LiveSource, type LiveStream, liveStream } from './liveStream.ts';
import { PAGE_HEADERS } from './pageHeaders.ts';

interface ConsoleDeps {
  readonly access: Access;
  /** Builds the page. Called once at the start. */
  readonly buildPage: () => Promise<BuiltPage>;
  /** Events for the page. Without it, the page polls. */
  readonly live?: LiveSource;
  /** Receives one line for each internal error, without content of requests. */
  readonly log: (line: string) => void;
}

/** The app for one of Hono's adapters, which passes the sender's address. */
export interface Console {
  readonly app: Hono<ConsoleEnv>;
  /** Ends all streams. */
  close(): void;
}

/** A GUID in lower case. The store finds an environment by its name and in capitals too, but not its history and plans. */
const ENV = ':env{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}}';
/** Maximum length of an id in a path, in characters: DynamoDB refuses keys above 1,024 bytes. Flagwire's ids are shorter. */
const ID_LIMIT = 200;
/** Maximum number of concurrent requests. A page sends a few. */
const REQUESTS_AT_ONCE = 20;
/** Maximum number of concurrent streams, one for each open page. */
const STREAMS_AT_ONCE = 8;

const bodySchemas: Partial<Record<keyof Requests, z.ZodObject>> = bodies;
const querySchemas: Partial<Record<keyof Requests, z.ZodObject>> = queries;

/** Creates the console: the page under `PAGE_PATH`, the API under `API_PATH`. */
export function createConsole({ access, buildPage, live, log }: ConsoleDeps): Console {
  const app = new Hono<ConsoleEnv>();
  const streams = new Set<LiveStream>();
  let answering = 0;

  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) context.header(name, value);
    access.admit(context);
    await next();
  });
  const guard = createMiddleware<ConsoleEnv>(async (context, next) => {
    context.header('Cache-Control', 'no-store');
    context.set('enter', await access.identify(context));
    await next();
  });
  const inBounds = createMiddleware(async (_, next) => {
    if (answering >= REQUESTS_AT_ONCE) {
      throw new RequestError(
        'too-many-requests',
        `${REQUESTS_AT_ONCE} requests are being answered; ask again in a moment`,
      );
    }
    answering++;
    try {
      await next();
    } finally {
      answering--;
    }
  });

  app.use(`${API_PATH}*`, guard);
  app.get(`${API_PATH}environments/${ENV}/live`, async (context, next) => {
    if (!live) return next();
    const env = context.req.param('env');
    const { environments } = await context.get('enter')('GET environments/:env/look', env);
    const { id } = await environments.find(env);
    if (streams.size >= STREAMS_AT_ONCE) {
      throw new RequestError('too-many-requests', `${STREAMS_AT_ONCE} pages look at what happens; close one of them`);
    }
    const stream = liveStream(live, id, () => streams.delete(stream));
    streams.add(stream);
    return context.body(stream.body, 200, { 'Content-Type': 'application/x-ndjson' });
  });
  app.use(`${API_PATH}*`, inBounds, limitBody, compress());
  for (const name of Object.keys(RIGHTS) as (keyof Requests)[]) {
    const [method = '', path = ''] = name.split(' ');
    const takesRemark = bodySchemas[name]?.shape['remark'] !== undefined;
    app.on(method, `${API_PATH}${path.replace(':env', ENV)}`, async (context) => {
      const { handlers, environments } = await context.get('enter')(name, context.req.param('env') ?? '');
      const input = await readInput(context, name);
      if (method !== 'GET') await requireConfirmed(environments, input.env, input.body, takesRemark);
      const answer = handlers[name] as (input: HandlerInput<keyof Requests>) => Promise<object>;
      return context.json(await answer(input));
    });
  }
  app.all(`${API_PATH}*`, () => {
    throw new RequestError('not-found', 'the console’s API has no such request');
  });

  // Otherwise a 304 would leave the browser with the headers of another deployment.
  const retainedHeaders = [...RETAINED_304_HEADERS, ...Object.keys(PAGE_HEADERS)];
  // Starts before the first request, which gets the failure.
  const page = buildPage();
  page.catch(() => {});
  access.addRoutes?.(app, page);
  app.get(`${PAGE_PATH}:name{[^/]*}`, etag({ retainedHeaders }), compress(), async (context) => {
    const { html, assets } = await page;
    const name = context.req.param('name');
    const file = name === '' ? { type: 'text/html; charset=utf-8', body: html } : assets.get(name);
    if (!file) return context.text('There is no such file.', 404);
    // The name of an asset contains a hash of its content.
    context.header('Cache-Control', name === '' ? 'no-cache' : 'private, max-age=31536000, immutable');
    return context.body(file.body, 200, { 'Content-Type': file.type });
  });
  for (const path of ['/', PAGE_PATH.slice(0, -1)]) app.get(path, (context) => context.redirect(PAGE_PATH));
  app.notFound((context) => context.text('There is no such file.', 404));
  app.onError((thrown, context) => {
    const found = answerTo(thrown);
    const concealed = access.concealed?.[found.code];
    const error = concealed ? { code: found.code, message: concealed } : found;
    if (concealed || error.code === 'internal-error') log(`console: ${thrown.stack ?? thrown.message}`);
    const status = ERROR_STATUS[error.code];
    return context.json({ error }, status, status === 429 || status === 503 ? RETRY_AFTER : {});
  });
  return {
    app,
    close: () => {
      for (const stream of streams) stream.end();
    },
  };
}

/** @throws {RequestError} for an invalid body or query, or an id that is too long */
async function readInput(context: HonoContext, name: keyof Requests): Promise<HandlerInput<keyof Requests>> {
  const { env = '', secret = '', plan = '' } = context.req.param() as Record<string, string>;
  if ([secret, plan].some((id) => id.length > ID_LIMIT)) throw new RequestError('not-found', 'there is no such id');
  const [bodySchema, querySchema] = [bodySchemas[name], querySchemas[name]];
  const body = bodySchema && checked('body', bodySchema, await readJson(context));
  const query = querySchema && checked('query', querySchema, context.req.query());
  return { env, secret, plan, body, query } as HandlerInput<keyof Requests>;
}

function checked(what: string, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new RequestError('bad-request', `the ${what} is not what this request takes: ${z.prettifyError(result.error)}`);
}

/** Refuses bodies larger than `BODY_LIMIT_BYTES`. The server limits the time of receiving them: `serve` to 15 s, `npm start` to Node's 300 s. */
const limitBody = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError: () => {
    throw new RequestError('body-too-large', `the body is larger than the limit of ${BODY_LIMIT_BYTES} bytes`);
  },
});

/**
 * Reads a request's body as JSON. An empty body is an empty object.
 *
 * @throws {RequestError} if it is not JSON, or nested too deeply
 */
async function readJson({ req }: HonoContext): Promise<unknown> {
  if (!/^application\/json\s*(?:;|$)/i.test(req.header('content-type') ?? '')) {
    throw new RequestError('json-required', 'a body must be JSON: Content-Type: application/json');
  }
  const text = await req.text();
  try {
    // No field of a body is a long number.
    return text === '' ? {} : JSON.parse(JSON.stringify(parseForeignJson(text)));
  } catch (error) {
    const why = error instanceof NestedTooDeep ? error.message : 'not valid JSON';
    throw new RequestError('bad-request', `the body is ${why}`);
  }
}
