import { openKnownKeys } from '../../../shared/store/authenticate.ts';
import type { Intercept } from '../../../shared/store/testing/testTables.ts';
import { database, service } from '../../testing/fixture.ts';
import { snapshotsOf } from '../../testing/service.ts';
import { createApp, type HttpDeps } from '../app.ts';
import type { InsightRecord } from '../insight.ts';

/** The endpoints. */
export const LIVENESS = '/health/liveness';
export const READINESS = '/health/readiness';
export const SERVER = '/api/public/sdk/server/latest-all';
export const CLIENT = '/api/public/sdk/client/latest-all';
export const EVALUATE = '/api/public/featureflag/evaluate';
export const TRACK = '/api/public/insight/track';
export const REGISTER = '/api/public/agent/register';

/** Every endpoint that requires a secret: its method, and its smallest body. */
export const GUARDED = [
  [SERVER, 'GET', undefined],
  [CLIENT, 'POST', '{"keyId":"u1"}'],
  [EVALUATE, 'POST', '{"user":{"keyId":"u1"}}'],
  [TRACK, 'POST', '[]'],
] as const;

/** JSON whose brackets are a thousand deep. */
export const DEEP = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;

/** The content of a request. */
export interface Ask {
  readonly method?: string;
  /** The whole `Authorization` header. Null sends none. The default is the environment's client secret. */
  readonly secret?: string | null;
  /** A string is sent unchanged, anything else as JSON. Makes the request a POST. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One instance of the HTTP endpoints on the test's environment. It keeps its insights. */
export interface TestHttp {
  readonly insights: readonly InsightRecord[];
  /** Counted evaluations: `<flag> <variation>`. */
  readonly counted: readonly string[];
  readonly app: ReturnType<typeof createApp>['app'];
  ask(path: string, ask?: Ask): Promise<Response>;
}

/**
 * @param intercept intercepts this instance's calls to the table
 * @param deps replacements for default dependencies
 */
export function aHttp({ intercept, ...deps }: { readonly intercept?: Intercept } & Partial<HttpDeps> = {}): TestHttp {
  const insights: InsightRecord[] = [];
  const counted: string[] = [];
  const { app } = createApp({
    ...openKnownKeys(database.open(service.effects, intercept)),
    snapshots: snapshotsOf(service, intercept),
    insights: {
      write: async (records) => {
        insights.push(...records);
      },
    },
    usage: {
      count: async (_envId, snapshot, evaluations) => {
        counted.push(
          ...evaluations.map(({ flagKey, variationId }) => `${flagKey} ${variationId}${snapshot ? '' : '?'}`),
        );
      },
    },
    checkReadiness: async () => {},
    now: service.effects.now,
    ...deps,
  });
  return {
    insights,
    counted,
    app,
    ask: async (path, { method, secret = service.secrets.client.value, body, headers } = {}) =>
      app.request(path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...(secret === null ? {} : { authorization: secret }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
}
