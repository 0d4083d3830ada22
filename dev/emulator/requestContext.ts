import { randomBytes } from 'node:crypto';
import { apiHost } from './template/account.ts';

/** The context of the authorizer in each event of a connection: strings, and the latency. */
export type AuthorizerContext = Readonly<Record<string, string | number>>;

/** The constant facts of a connection that every event repeats. */
export interface ConnectionFacts {
  readonly apiId: string;
  readonly stage: string;
  readonly connectionId: string;
  /** Unix milliseconds; the same in every event of the connection. */
  readonly connectedAt: number;
  /** The client, as API Gateway reports it. */
  readonly identity: { readonly sourceIp: string; readonly userAgent?: string };
  readonly authorizer?: AuthorizerContext;
}

/** The kinds of event a route receives. */
type EventType = 'CONNECT' | 'MESSAGE' | 'DISCONNECT';

/**
 * `requestContext` of an event, in the field order of events captured from AWS (reference fixtures of the
 * aws-powertools project): `requestId` equals `extendedRequestId`, both new for each event.
 */
export function requestContext(
  facts: ConnectionFacts,
  event: { routeKey: string; eventType: EventType; now: number; extra?: Readonly<Record<string, unknown>> },
): Record<string, unknown> {
  const requestId = gatewayId();
  return {
    routeKey: event.routeKey,
    ...(facts.authorizer && { authorizer: facts.authorizer }),
    ...event.extra,
    eventType: event.eventType,
    extendedRequestId: requestId,
    requestTime: requestTime(event.now),
    messageDirection: 'IN',
    stage: facts.stage,
    connectedAt: facts.connectedAt,
    requestTimeEpoch: event.now,
    identity: facts.identity,
    requestId,
    domainName: apiHost(facts.apiId),
    connectionId: facts.connectionId,
    apiId: facts.apiId,
  };
}

/** A fresh id in API Gateway's form: 16 characters, the last of them `=` (so that clients must encode it in URLs). */
export function gatewayId(): string {
  return `${randomBytes(12).toString('base64url').slice(0, 15)}=`;
}

/** The values of repeated names, by name, in order. A client may call one `__proto__`. */
export function valuesByName(pairs: Iterable<readonly [name: string, value: string]>): Record<string, string[]> {
  const groups = [...Map.groupBy(pairs, ([name]) => name)];
  return Object.fromEntries(groups.map(([name, all]) => [name, all.map(([, value]) => value)]));
}

/** A fresh `X-Amzn-Trace-Id`. */
export function newTrace(): string {
  return `Root=1-${randomBytes(4).toString('hex')}-${randomBytes(12).toString('hex')}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A moment as access logs write it, in UTC: `11/Nov/2024:11:35:24 +0000`. */
export function requestTime(unixMs: number): string {
  const iso = new Date(unixMs).toISOString();
  const month = months[Number(iso.slice(5, 7)) - 1];
  return `${iso.slice(8, 10)}/${month}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
}
