import type { Context, Hono } from 'hono';
import { ALL_FLAGS, EVALUATION_URL, type Evaluations, ONE_FLAG } from '../../http/ofrep.ts';

/** Measures responses. */
export interface AnswerTimes {
  /** Milliseconds. */
  readonly monotonic: () => number;
  /** Called with each response: its route (a bounded set), status, and duration. */
  readonly onAnswered: (route: string, status: number, seconds: number) => void;
}

/**
 * Lets an app serve evaluations with the usual URL without hono's contexts, middleware and `Headers`. The handlers and the
 * responses are the same.
 *
 * @param headers headers of all responses
 */
export function serveDirectly(
  app: Hono,
  evaluations: Evaluations,
  { headers, monotonic, onAnswered }: AnswerTimes & { readonly headers: Readonly<Record<string, string>> },
): void {
  const { fetch } = app;
  const serve = async (request: Request, env: unknown, key: string | undefined) => {
    const startedAt = monotonic();
    const route = key === undefined ? ALL_FLAGS : ONE_FLAG;
    const response = await evaluations[route](directContext(request, env, key, { ...headers }));
    onAnswered(route, response.status, (monotonic() - startedAt) / 1_000);
    return response;
  };
  app.fetch = (request, env, execution) => {
    const found = request.method === 'POST' ? EVALUATION_URL.exec(request.url) : null;
    return found ? serve(request, env, found[1]) : fetch(request, env, execution);
  };
}

/** What evaluations use of hono's context. */
function directContext(raw: Request, env: unknown, key: string | undefined, headers: Record<string, string>): Context {
  const values: Record<string, unknown> = {};
  const body = (data: ConstructorParameters<typeof Response>[0], status: number, more: object) =>
    new Response(data, { status, headers: Object.assign(headers, more) });
  const context = {
    env,
    req: {
      raw,
      url: raw.url,
      path: key === undefined ? ALL_FLAGS : `${ALL_FLAGS}/${key.toLowerCase()}`,
      header: (name: string) => raw.headers.get(name) ?? undefined,
      param: () => key,
      text: () => raw.text(),
    },
    get: (name: string) => values[name],
    set: (name: string, value: unknown) => {
      values[name] = value;
    },
    header: (name: string, value: string) => {
      headers[name] = value;
    },
    body,
    json: (value: unknown, status: number, more?: object) =>
      body(JSON.stringify(value), status, { 'content-type': 'application/json', ...more }),
  };
  return context as unknown as Context;
}
