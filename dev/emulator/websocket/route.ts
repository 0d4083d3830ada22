import type { AwsProfile } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import { type Log, oneLine } from '../log.ts';
import { gatewayId } from '../requestContext.ts';
import type { AccountThrottle } from '../throttling/routeThrottle.ts';
import type { RouteDefinition, WebSocketApiDefinition } from './definition.ts';
import { messageEvent, routeArn, type Traffic } from './events.ts';
import type { WebSocketLimits } from './limits.ts';
import { runMock } from './mock.ts';
import { errorFrame } from './refuse.ts';
import type { Connection } from './session.ts';

/** Dependencies of routes. */
export interface RouteServices {
  readonly functions: FunctionRegistry;
  readonly clock: Clock;
  readonly limits: WebSocketLimits;
  readonly aws: AwsProfile;
  readonly throttle: AccountThrottle;
  readonly log: Log;
  readonly traffic?: Traffic | undefined;
}

/**
 * Handles one message of a client: selects the route, runs its integration, and sends the answer. That is the integration's body if
 * the route has a route response, `Forbidden` without a route, `Internal server error` if the integration fails or is throttled, and
 * `Endpoint request timed out` after its timeout.
 * A throttled message reaches no integration. The connection stays open. Never rejects.
 *
 * @param admits whether one more request of a route may pass
 */
export async function handleMessage(
  api: WebSocketApiDefinition,
  connection: Connection,
  text: string,
  services: RouteServices & { readonly admits: (routeKey: string) => boolean },
): Promise<void> {
  const { connectionId } = connection.facts;
  try {
    const route = routeFor(api, text);
    if (!services.admits(route?.routeKey ?? '$default')) {
      services.log(`websocket ${api.stage}: message of ${connectionId} throttled`);
      const frame = errorFrame('Too Many Requests', connectionId, gatewayId());
      if (services.aws.throttledMessage === 'frame') connection.send(frame);
      return;
    }
    if (!route) {
      connection.send(errorFrame('Forbidden', connectionId, gatewayId()));
      return;
    }
    const body = await runIntegration(route, connection, text, services);
    if (!route.responds || body === undefined || body === '') return;
    if (Buffer.byteLength(body) > services.limits.messageBytes) {
      throw new Error(
        `route ${route.routeKey} answered ${Buffer.byteLength(body)} bytes; the limit is ${services.limits.messageBytes}`,
      );
    }
    connection.send(body);
  } catch (error) {
    services.log(`websocket ${api.stage}: message of ${connectionId} failed: ${oneLine(error)}`);
    const message = error instanceof EndpointTimedOut ? 'Endpoint request timed out' : 'Internal server error';
    connection.send(errorFrame(message, connectionId, gatewayId()));
  }
}

/** An integration that API Gateway waited for in vain. */
class EndpointTimedOut extends Error {
  override readonly name = 'EndpointTimedOut';
}

/** `$connect` and `$disconnect` belong to the gateway: a client that names them gets `$default`. */
function routeFor(api: WebSocketApiDefinition, text: string): RouteDefinition | undefined {
  const key = selectRouteKey(api.routeSelectionExpression, text);
  const named = key === undefined || key === '$connect' || key === '$disconnect' ? undefined : api.routes.get(key);
  return named ?? api.routes.get('$default');
}

async function runIntegration(
  { routeKey, integration }: RouteDefinition,
  { facts }: Connection,
  text: string,
  { functions, clock }: RouteServices,
): Promise<string | undefined> {
  if (integration.type === 'MOCK') return runMock(integration.mock).body;
  const event = messageEvent(facts, routeKey, text, clock.now());
  const result = await functions.invoke(integration.functionArn, event, {
    limitMs: integration.timeoutMs,
    caller: facts.connectionId,
    by: { service: 'apigateway.amazonaws.com', sourceArn: routeArn(facts, routeKey) },
  });
  if (!result.ok) {
    const text = `route ${routeKey}: ${result.errorType}: ${result.errorMessage}`;
    throw result.reason === 'unanswered' ? new EndpointTimedOut(text) : new Error(text);
  }
  const { body } = (result.payload ?? {}) as { body?: unknown };
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new Error(`route ${routeKey}: the answer's body is not a string`);
  }
  return body ?? undefined;
}

/**
 * The key a message selects: the value its body has at `$request.body.<path>` (or `${request.body.<path>}`).
 *
 * @returns undefined when the body is not JSON, or has no string there; such a message goes to `$default`.
 * @throws Error when the expression is of another kind.
 */
export function selectRouteKey(expression: string, body: string): string | undefined {
  const path = /^\$(?:request\.body\.([\w.-]+)|\{request\.body\.([\w.-]+)\})$/.exec(expression);
  if (!path) throw new Error(`The emulator does not support the route selection expression "${expression}"`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  for (const key of (path[1] ?? path[2] ?? '').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' ? value : undefined;
}
