import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../endpoint/body.ts';
import { gatewayId } from '../requestContext.ts';
import { arn } from '../template/account.ts';
import { createRouteThrottle } from '../throttling/routeThrottle.ts';
import type { RouteServices } from '../websocket/route.ts';
import type { HttpApiDefinition } from './definition.ts';
import { httpEvent, readTarget } from './event.ts';
import { corsHeaders, gatewayResponse, type HttpResponse, readAnswer } from './response.ts';

/** Largest request body an HTTP API takes, in bytes (a fixed quota). */
const maxBodyBytes = 10 * 1024 * 1024;

/** Largest request line with the values of all headers, in bytes (a fixed quota). Cookies count. */
const maxHeaderBytes = 10_240;

/** Serves an HTTP API. */
export type HttpGateway = ReturnType<typeof createHttpGateway>;

/** Makes the data plane of `api`. */
export function createHttpGateway(api: HttpApiDefinition, services: RouteServices) {
  const admits = createRouteThrottle(api.routeLimits, { ...services.aws, ...services });
  /** Serves one request. Rejects only if the client disconnects during its request. */
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin } = request.headers;
    const isOfRoute = !(api.cors && isPreflight(request));
    if (!(isOfRoute ? admits(api.routeKey) : services.throttle.request())) {
      return answer(api, origin, response, gatewayResponse(429, 'Too Many Requests'));
    }
    if (api.cors && !isOfRoute) {
      response.writeHead(204, corsHeaders(api.cors, origin, 'preflight')).end();
      return;
    }
    answer(api, origin, response, await handle(api, request, services));
  };
  return { api, serve };
}

function answer(
  api: HttpApiDefinition,
  origin: string | undefined,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
  const added = api.cors ? Object.entries(corsHeaders(api.cors, origin, 'response')) : [];
  const kept = headers.filter(([name]) => !api.cors || !name.toLowerCase().startsWith('access-control-'));
  const gateway = [['content-length', String(body.length)] as const, ['apigw-requestid', gatewayId()] as const];
  const own = kept.filter(([name]) => name !== 'content-length');
  response.writeHead(status, [...own, ...added, ...gateway].flat());
  response.end(body);
}

async function handle(
  api: HttpApiDefinition,
  request: IncomingMessage,
  { functions, clock, log }: RouteServices,
): Promise<HttpResponse> {
  const target = readTarget(request.url ?? '/');
  if (headerBytes(request) > maxHeaderBytes) return gatewayResponse(431, 'Request Header Fields Too Large');
  if (!target) return gatewayResponse(400, 'Bad Request');
  const body = await readBody(request, maxBodyBytes);
  if (!body) return gatewayResponse(413, 'Request Entity Too Large');
  const event = httpEvent(request, body, target, { ...api, now: clock.now() });
  const result = await functions.invoke(api.functionArn, event, {
    limitMs: api.timeoutMs,
    by: {
      service: 'apigateway.amazonaws.com',
      sourceArn: arn('execute-api', `${api.apiId}/$default/${api.routeKey.replace(' ', '')}`),
    },
  });
  if (!result.ok) {
    return result.reason === 'failed'
      ? gatewayResponse(500, 'Internal Server Error')
      : gatewayResponse(503, 'Service Unavailable');
  }
  const response = readAnswer(result.payload);
  if (!response) log(`http: the function's answer is not a response of payload format 2.0`);
  return response ?? gatewayResponse(500, 'Internal Server Error');
}

function headerBytes({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return `${method} ${url} HTTP/1.1`.length + values.reduce((sum, value) => sum + value.length, 0);
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
}
