import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ConnectionFacts, gatewayId, requestContext } from '../requestContext.ts';
import { apiHost, arn } from '../template/account.ts';

/** The end of a connection, as in the `$disconnect` event. */
export interface Disconnection {
  readonly code: number;
  readonly reason: string;
}

type Multi = Record<string, string[]>;

const headersOnlyForAuthorizer = new Set(['connection', 'upgrade', 'content-length']);

/** The `$connect` event of a handshake. */
export function connectEvent(request: IncomingMessage, facts: ConnectionFacts, now: number): unknown {
  const multi = headersOf(request, facts, (name) => !headersOnlyForAuthorizer.has(name));
  return {
    headers: lastOf(multi),
    multiValueHeaders: multi,
    ...queryOf(request),
    requestContext: requestContext(facts, { routeKey: '$connect', eventType: 'CONNECT', now }),
    isBase64Encoded: false,
  };
}

/** The ARN of a route, which policies of authorizers and functions name. */
export function routeArn({ apiId, stage }: Pick<ConnectionFacts, 'apiId' | 'stage'>, routeKey: string): string {
  return arn('execute-api', `${apiId}/${stage}/${routeKey}`);
}

/** The event of a REQUEST authorizer of `$connect`. Unlike the event of `$connect`, it always has every field. */
export function authorizerEvent(request: IncomingMessage, facts: ConnectionFacts, now: number): unknown {
  const multi = { ...headersOf(request, facts, () => true), 'content-length': ['0'] };
  const { queryStringParameters = {}, multiValueQueryStringParameters = {} } = queryOf(request);
  return {
    type: 'REQUEST',
    methodArn: routeArn(facts, '$connect'),
    headers: lastOf(multi),
    multiValueHeaders: multi,
    queryStringParameters,
    multiValueQueryStringParameters,
    stageVariables: {},
    requestContext: requestContext(facts, { routeKey: '$connect', eventType: 'CONNECT', now }),
  };
}

/** The event of a message: no headers, no query. */
export function messageEvent(facts: ConnectionFacts, routeKey: string, body: string, now: number): unknown {
  return {
    requestContext: requestContext(facts, {
      routeKey,
      eventType: 'MESSAGE',
      now,
      extra: { messageId: gatewayId() },
    }),
    body,
    isBase64Encoded: false,
  };
}

/** The `$disconnect` event. Its headers are AWS's own, with the client's already gone. */
export function disconnectEvent(facts: ConnectionFacts, { code, reason }: Disconnection, now: number): unknown {
  const headers = { Host: apiHost(facts.apiId), 'x-api-key': '', 'X-Forwarded-For': '', 'x-restapi': '' };
  return {
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    requestContext: requestContext(facts, {
      routeKey: '$disconnect',
      eventType: 'DISCONNECT',
      now,
      extra: { disconnectStatusCode: code, disconnectReason: reason },
    }),
    isBase64Encoded: false,
  };
}

/** The query string of a request, decoded; both fields are absent when there is none. */
export function queryOf(request: IncomingMessage): {
  queryStringParameters?: Record<string, string>;
  multiValueQueryStringParameters?: Multi;
} {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const multi: Multi = {};
  for (const [name, value] of new URLSearchParams(query)) append(multi, name, value);
  if (Object.keys(multi).length === 0) return {};
  return { queryStringParameters: lastOf(multi), multiValueQueryStringParameters: multi };
}

function headersOf(request: IncomingMessage, facts: ConnectionFacts, keep: (lowerName: string) => boolean): Multi {
  const multi: Multi = {};
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const [name, value] = [request.rawHeaders[i] ?? '', request.rawHeaders[i + 1] ?? ''];
    if (name.toLowerCase() !== 'host' && keep(name.toLowerCase())) append(multi, name, value);
  }
  const trace = `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`;
  return {
    Host: [apiHost(facts.apiId)],
    ...multi,
    'X-Amzn-Trace-Id': [trace],
    'X-Forwarded-For': [facts.identity.sourceIp],
    'X-Forwarded-Port': ['443'],
    'X-Forwarded-Proto': ['https'],
  };
}

function append(multi: Multi, name: string, value: string): void {
  // A client may call a parameter "__proto__"; it must stay an ordinary name.
  const known = Object.hasOwn(multi, name) ? multi[name] : undefined;
  Object.defineProperty(multi, name, {
    value: [...(known ?? []), value],
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function lastOf(multi: Multi): Record<string, string> {
  return Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1) ?? '']));
}
