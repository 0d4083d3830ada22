import type { IncomingMessage } from 'node:http';
import { type ConnectionFacts, gatewayId, newTrace, requestContext, valuesByName } from '../requestContext.ts';
import { apiHost, arn } from '../template/account.ts';

/** The end of a connection, as in the `$disconnect` event. */
export interface Disconnection {
  readonly code: number;
  readonly reason: string;
}

type Multi = Record<string, string[]>;

/** The ARN of a route, which policies of authorizers and functions name. */
export function routeArn({ apiId, stage }: Pick<ConnectionFacts, 'apiId' | 'stage'>, routeKey: string): string {
  return arn('execute-api', `${apiId}/${stage}/${routeKey}`);
}

/** The event of a REQUEST authorizer of `$connect`, which always has every field. */
export function authorizerEvent(request: IncomingMessage, facts: ConnectionFacts, now: number): unknown {
  const multi = { ...headersOf(request, facts), 'content-length': ['0'] };
  return {
    type: 'REQUEST',
    methodArn: routeArn(facts, '$connect'),
    headers: lastOf(multi),
    multiValueHeaders: multi,
    ...queryOf(request),
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

/** The query string of a request, decoded. */
export function queryOf(request: IncomingMessage) {
  const query = (request.url ?? '').split('?').slice(1).join('?');
  const multi = valuesByName(new URLSearchParams(query));
  return { queryStringParameters: lastOf(multi), multiValueQueryStringParameters: multi };
}

function headersOf({ rawHeaders }: IncomingMessage, facts: ConnectionFacts): Multi {
  const pairs = rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [[name, rawHeaders[n + 1] ?? ''] as const] : []));
  return {
    Host: [apiHost(facts.apiId)],
    ...valuesByName(pairs.filter(([name]) => name.toLowerCase() !== 'host')),
    'X-Amzn-Trace-Id': [newTrace()],
    'X-Forwarded-For': [facts.identity.sourceIp],
    'X-Forwarded-Port': ['443'],
    'X-Forwarded-Proto': ['https'],
  };
}

function lastOf(multi: Multi): Record<string, string> {
  return Object.fromEntries(Object.entries(multi).map(([name, values]) => [name, values.at(-1) ?? '']));
}

/** Gets the events of WebSocket APIs. Its errors are not caught. */
export interface Traffic {
  opened(facts: ConnectionFacts): void;
  /** A handshake was answered with this status instead. */
  refused(status: number): void;
  received(facts: ConnectionFacts, text: string): void;
  sent(facts: ConnectionFacts, text: string): void;
  closed(facts: ConnectionFacts, disconnection: Disconnection): void;
}
