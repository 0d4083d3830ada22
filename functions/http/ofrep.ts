import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { User } from '../../shared/flags/user.ts';
import {
  flagNotFound,
  invalid,
  type OfrepFailure,
  ofrepAnswer,
  ofrepSummary,
  parseOfrepRequest,
} from '../../shared/protocol/ofrep.ts';
import { printable } from '../../shared/protocol/printable.ts';
import { RETRY_AFTER } from '../../shared/protocol/retryAfter.ts';
import type { SecretCache } from '../../shared/store/environments/secretCache.ts';
import type { SnapshotSource } from '../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../shared/store/table/errors.ts';
import { NO_VARIATION } from '../../shared/store/usage/usage.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';
import { type AuthenticatedEnv, GONE, requireApiKey } from './auth.ts';
import { describeLargeUser, readJson } from './body.ts';
import type { BodyGate } from './bodyGate.ts';
import { inOne } from './inOne.ts';
import { refuseOtherMethods } from './otherMethods.ts';
import { JSON_HEADERS, sendTaggedJson } from './taggedJson.ts';
import type { UsageSink } from './usageSink.ts';

/** Dependencies of the endpoints. */
export interface OfrepDeps {
  readonly secrets: Pick<SecretCache, 'find'>;
  readonly snapshots: SnapshotSource;
  readonly bodyGate: BodyGate;
  readonly limited: LimitedLog;
  /** If absent, evaluations are not counted. */
  readonly usage?: UsageSink | undefined;
  /** Receives a request's body. */
  readonly received: MiddlewareHandler;
  /** If absent, responses list no event streams, and clients poll. */
  readonly serveEventStream?: Handler | undefined;
}

interface OfrepEnv {
  Variables: AuthenticatedEnv['Variables'] & { readonly user: User };
}

/** Handlers of `POST` by their routes, complete with the response to an error. */
export type Evaluations = Readonly<Record<typeof ONE_FLAG | typeof ALL_FLAGS, (context: Context) => Promise<Response>>>;

/** The endpoints of the OpenFeature Remote Evaluation Protocol 0.3.0 (docs/decisions/0020-ofrep.md). */
export function createOfrep({ secrets, snapshots, bodyGate, limited, usage, received, serveEventStream }: OfrepDeps): {
  readonly app: Hono<OfrepEnv>;
  readonly evaluations: Evaluations;
} {
  const app = new Hono<OfrepEnv>();
  if (serveEventStream) {
    app.get(EVENT_STREAM, serveEventStream);
    app.all(EVENT_STREAM, refuseOtherMethods('GET', 'errorDetails'));
  }
  const requireKey = requireApiKey(secrets, limited);
  const refuseFailed = (error: Error, context: Context) => {
    if (error instanceof NotFound) return context.json({ errorDetails: GONE }, 401, { 'www-authenticate': 'Bearer' });
    limited.error('request failed', { error, path: printable(context.req.path) });
    return context.json({ errorDetails: 'the service cannot answer now; try again' }, 500, RETRY_AFTER);
  };
  const forUser = (answer: Handler<OfrepEnv>) => {
    const handle = inOne([requireKey, received, readUser], answer);
    return (context: Context): Promise<Response> =>
      handle(context).catch((error: Error) => refuseFailed(error, context));
  };
  const answerOne = forUser(async (context) => {
    const key = keyOf(context.req.url);
    const { envId } = context.get('grant');
    const { snapshot } = await snapshots.read(envId);
    const flag = snapshot.flags.find(({ document }) => document.key === key);
    const answer = flag && ofrepAnswer(flag, context.get('user'));
    // Without the key there was no evaluation to count.
    if (answer && 'errorCode' in answer) return context.json(answer, 400);
    await usage?.count(envId, snapshot, [{ flagKey: key, variationId: answer?.variationId ?? NO_VARIATION }]);
    if (!answer) return context.json(flagNotFound(key), 404);
    return context.body(await bodyGate(context, () => answer.json), answer.isFailure ? 400 : 200, JSON_HEADERS);
  });

  const answerAll = forUser(async (context) => {
    const { envId, type } = context.get('grant');
    const { snapshot } = await snapshots.read(envId);
    const metadata = { flagSetId: envId, version: String(snapshot.version) };
    const eventStreams = serveEventStream && eventStreamsFor(type, context.get('secret'));
    const more = JSON.stringify({ metadata, eventStreams }).slice(1);
    return sendTaggedJson(context, bodyGate, () => {
      const flags = snapshot.flags.flatMap((flag) => ofrepSummary(flag, context.get('user')) ?? []);
      return `{"flags":[${flags.join()}],${more}`;
    });
  });

  app.post(ONE_FLAG, answerOne);
  app.post(ALL_FLAGS, answerAll);
  app.on('ALL', [ONE_FLAG, ALL_FLAGS], refuseOtherMethods('POST', 'errorDetails'));
  // The rest of the service expects another form of key. Its error would blame the key.
  app.all('/ofrep/*', requireKey, (context) => context.notFound());
  app.onError(refuseFailed);
  return { app, evaluations: { [ONE_FLAG]: answerOne, [ALL_FLAGS]: answerAll } };
}

/** The usual form of an evaluation's URL. The key of its flag needs no decoding. */
export const EVALUATION_URL = /^https?:\/\/[^/?#\\]+\/ofrep\/v1\/evaluate\/flags(?:\/([\w-][\w.-]*))?$/;
export const ONE_FLAG = '/ofrep/v1/evaluate/flags/:key';
export const ALL_FLAGS = '/ofrep/v1/evaluate/flags';
/** How a process with connections notifies OFREP clients of changes. Notifications contain no values. */
const EVENT_STREAM = '/ofrep/v1/event-stream';

/**
 * The event streams, as a response with all flags lists them. The path contains the key, because browsers cannot send
 * headers with it. Callers with a server key poll, because no URL should contain a server key.
 */
function eventStreamsFor(type: string, secret: string): readonly object[] | undefined {
  return type === 'client' ? [{ type: 'sse', endpoint: { requestUri: `${EVENT_STREAM}?key=${secret}` } }] : undefined;
}

/** Parses the user from the body. A body without a valid user gets 400. */
const readUser = createMiddleware<OfrepEnv>(async (context, next) => {
  const user = parseOfrepRequest(readJson(context));
  if ('errorCode' in user) return refuse(context, user);
  const largeness = describeLargeUser(user);
  if (largeness !== undefined) return refuse(context, invalid(largeness));
  context.set('user', user);
  return next();
});

/** An error of the whole request. An error of one flag also names the flag. */
function refuse(context: Context<OfrepEnv>, failure: OfrepFailure) {
  const isOfFlag = context.req.param('key') !== undefined;
  return context.json(isOfFlag ? { key: keyOf(context.req.url), ...failure } : failure, 400);
}

/** The flag's key as sent. The path for matching routes is in lower case. */
function keyOf(url: string): string {
  const plain = EVALUATION_URL.exec(url)?.[1];
  if (plain !== undefined) return plain;
  const last = new URL(url).pathname.split('/').findLast(Boolean) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
