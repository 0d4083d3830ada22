import { arn } from '../template/account.ts';
import { functionArnIn, integrationIdOf, partById, partsOfApi } from '../template/integrationTarget.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { readRouteLimits } from '../throttling/routeThrottle.ts';
import type { MockDefinition } from './mock.ts';

/** A WebSocket API with its one stage, as the templates describe it. */
export type WebSocketApiDefinition = ReturnType<typeof readWebSocketApis>[number];

/** A route with its integration and authorizer. */
export type RouteDefinition = ReturnType<typeof readRoute>;

/** The integration of a route. */
type IntegrationDefinition =
  | { readonly type: 'MOCK'; readonly mock: MockDefinition }
  | { readonly type: 'AWS_PROXY'; readonly functionArn: string; readonly timeoutMs: number };

/** A Lambda REQUEST authorizer. */
export type AuthorizerDefinition = NonNullable<ReturnType<typeof readAuthorizer>>;

/** An integration may take this long, whatever its function allows (a fixed quota of WebSocket APIs). */
const maxIntegrationMs = 29_000;

/** Reads every WebSocket API. @throws Error naming the resource that the emulator cannot serve. */
export function readWebSocketApis(model: Model) {
  return model
    .resources('AWS::ApiGatewayV2::Api')
    .filter((api) => api.property('ProtocolType') === 'WEBSOCKET')
    .map((api) => {
      const apiId = api.value();
      const [stage, ...others] = partsOfApi(model, 'AWS::ApiGatewayV2::Stage', apiId);
      if (!stage || others.length > 0) {
        throw new Error(`${api.path}: the emulator serves a WebSocket API with exactly one stage`);
      }
      const routes = partsOfApi(model, 'AWS::ApiGatewayV2::Route', apiId).map((route) =>
        readRoute(model, apiId, route),
      );
      return {
        apiId,
        stage: stage.value(),
        routeLimits: readRouteLimits(stage),
        /** e.g. `$request.body.messageType` */
        routeSelectionExpression: String(api.property('RouteSelectionExpression') ?? ''),
        /** By route key, `$connect`, `$disconnect` and `$default` among them. */
        routes: new Map(routes.map((route) => [route.routeKey, route])),
      };
    });
}

function readRoute(model: Model, apiId: string, route: Resource) {
  const authorizer = readAuthorizer(model, apiId, route);
  const responds = partsOfApi(model, 'AWS::ApiGatewayV2::RouteResponse', apiId).some(
    (response) =>
      response.property('RouteId') === route.value() && response.property('RouteResponseKey') === '$default',
  );
  const routeKey = String(route.property('RouteKey'));
  const integration = readIntegration(model, apiId, route);
  if (routeKey === '$connect' && integration.type !== 'MOCK') {
    throw new Error(`${route.path}: the emulator has no function for $connect but an authorizer`);
  }
  return {
    routeKey,
    integration,
    ...(authorizer && { authorizer }),
    /** True if the route has a route response. Without one, the client gets no answer of the integration. */
    responds,
  };
}

function readIntegration(model: Model, apiId: string, route: Resource): IntegrationDefinition {
  const id = integrationIdOf(route);
  const integration = partById(partsOfApi(model, 'AWS::ApiGatewayV2::Integration', apiId), id, route.path);
  const type = integration.property('IntegrationType');
  if (type === 'AWS_PROXY') {
    const timeoutMs = Number(integration.property('TimeoutInMillis') ?? maxIntegrationMs);
    return { type, functionArn: functionArnIn(integration.property('IntegrationUri'), integration.path), timeoutMs };
  }
  if (type !== 'MOCK') {
    throw new Error(`${integration.path}: integration type "${String(type)}" is not MOCK or AWS_PROXY`);
  }
  const responses = partsOfApi(model, 'AWS::ApiGatewayV2::IntegrationResponse', apiId)
    .filter((response) => response.property('IntegrationId') === id)
    .map((response) => ({
      key: String(response.property('IntegrationResponseKey')),
      ...templatesOf(response, 'ResponseTemplates'),
    }));
  return { type, mock: { request: templatesOf(integration, 'RequestTemplates'), responses } };
}

function templatesOf(resource: Resource, property: string) {
  const selection = resource.property('TemplateSelectionExpression');
  return {
    templates: (resource.property(property) ?? {}) as Record<string, string>,
    ...(selection !== undefined && { selection: String(selection) }),
  };
}

function readAuthorizer(model: Model, apiId: string, route: Resource) {
  const kind = String(route.property('AuthorizationType') ?? 'NONE');
  if (kind === 'NONE') return undefined;
  const authorizers = partsOfApi(model, 'AWS::ApiGatewayV2::Authorizer', apiId);
  const authorizer = partById(authorizers, String(route.property('AuthorizerId')), route.path);
  if (kind !== 'CUSTOM' || authorizer.property('AuthorizerType') !== 'REQUEST') {
    throw new Error(`${route.path}: the emulator supports Lambda REQUEST authorizers only, not "${kind}"`);
  }
  return {
    arn: arn('execute-api', `${apiId}/authorizers/${authorizer.value()}`),
    functionArn: functionArnIn(authorizer.property('AuthorizerUri'), authorizer.path),
    /** e.g. `route.request.querystring.token`; each must be present and not empty. */
    identitySources: (authorizer.property('IdentitySource') ?? []) as string[],
  };
}
