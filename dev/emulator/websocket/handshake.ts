import type { IncomingMessage } from 'node:http';
import type { ConnectionFacts } from '../requestContext.ts';
import { authorize } from './authorizer.ts';
import type { RouteDefinition, WebSocketApiDefinition } from './definition.ts';
import { connectEvent, routeArn } from './events.ts';
import { runMock } from './mock.ts';
import type { RouteServices } from './route.ts';

/** The result of a handshake: the facts with the context of the authorizer, or the HTTP answer of a refusal. */
type HandshakeResult =
  | { readonly accepted: true; readonly facts: ConnectionFacts }
  | { readonly accepted: false; readonly status: number; readonly message: string };

/** Runs a handshake up to the point of switching protocols: the authorizer of `$connect`, then its integration. */
export async function runHandshake(
  api: WebSocketApiDefinition,
  request: IncomingMessage,
  bareFacts: ConnectionFacts,
  services: RouteServices,
): Promise<HandshakeResult> {
  const route = api.routes.get('$connect');
  if (!route) return { accepted: true, facts: bareFacts };
  if (!route.authorizer) return connect(route, request, bareFacts, services);
  const authorization = await authorize(route.authorizer, request, bareFacts, services);
  if (!authorization.allowed) return { ...authorization, accepted: false };
  return connect(route, request, { ...bareFacts, authorizer: authorization.context }, services);
}

async function connect(
  { integration }: RouteDefinition,
  request: IncomingMessage,
  facts: ConnectionFacts,
  { functions, clock }: RouteServices,
): Promise<HandshakeResult> {
  let status: unknown;
  if (integration.type === 'MOCK') {
    status = runMock(integration.mock).statusCode;
  } else {
    const event = connectEvent(request, facts, clock.now());
    const result = await functions.invoke(integration.functionArn, event, {
      limitMs: integration.timeoutMs,
      by: { service: 'apigateway.amazonaws.com', sourceArn: routeArn(facts, '$connect') },
    });
    status = result.ok ? (result.payload as { statusCode?: unknown } | null)?.statusCode : undefined;
  }
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) {
    return { accepted: false, status: 502, message: 'Internal server error' };
  }
  if (status < 200 || status > 299) return { accepted: false, status, message: 'Forbidden' };
  return { accepted: true, facts };
}
