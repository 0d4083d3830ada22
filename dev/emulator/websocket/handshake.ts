import type { IncomingMessage } from 'node:http';
import type { ConnectionFacts } from '../requestContext.ts';
import { authorize } from './authorizer.ts';
import type { WebSocketApiDefinition } from './definition.ts';
import { runMock } from './mock.ts';
import type { RouteServices } from './route.ts';

/** The result of a handshake: the facts with the context of the authorizer, or the HTTP answer of a refusal. */
type HandshakeResult =
  | { readonly accepted: true; readonly facts: ConnectionFacts }
  | { readonly accepted: false; readonly status: number; readonly message: string };

/** Runs a handshake up to the point of switching protocols: the authorizer of `$connect`, then its MOCK integration. */
export async function runHandshake(
  api: WebSocketApiDefinition,
  request: IncomingMessage,
  facts: ConnectionFacts,
  services: RouteServices,
): Promise<HandshakeResult> {
  const { authorizer, integration } = api.routes.get('$connect') ?? {};
  const authorization = authorizer && (await authorize(authorizer, request, facts, services));
  if (authorization?.allowed === false) return { ...authorization, accepted: false };
  const status = integration?.type === 'MOCK' ? runMock(integration.mock).statusCode : 200;
  if (status < 200 || status > 299) return { accepted: false, status, message: 'Forbidden' };
  return { accepted: true, facts: authorization ? { ...facts, authorizer: authorization.context } : facts };
}
