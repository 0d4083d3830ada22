import { functionArnIn, integrationIdOf, partById, partsOfApi } from '../template/integrationTarget.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { readRouteLimits } from '../throttling/routeThrottle.ts';
import type { CorsConfiguration } from './response.ts';

/** An HTTP API, served at the root of the gateway, as the templates describe it. */
export type HttpApiDefinition = Readonly<ReturnType<typeof readHttpApi>>;

/** Default timeout of an integration of an HTTP API. */
const maxIntegrationMs = 30_000;

/**
 * Reads the app's HTTP APIs: those that share the gateway's address, of which one has the route `$default`, and further ones with that
 * route, which need addresses of their own.
 *
 * @throws Error when one has a stage, route, authorizer or integration the emulator does not serve.
 */
export function readHttpApis(model: Model) {
  const apis = model
    .resources('AWS::ApiGatewayV2::Api')
    .filter((found) => found.property('ProtocolType') === 'HTTP')
    .map((api) => readHttpApi(model, api));
  const [, ...further] = apis.filter(({ routeKey }) => routeKey === '$default');
  return { shared: apis.filter((api) => !further.includes(api)), further };
}

/** Checks whether a request is for the route of an HTTP API. @param path without the query */
export function isForRoute({ routeKey }: HttpApiDefinition, method: string | undefined, path: string): boolean {
  if (routeKey === '$default') return true;
  const [expected, pattern = ''] = routeKey.split(' ');
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  const isSame = (part: string, index: number) =>
    /^\{[^+]+\}$/.test(part) ? given[index] !== '' : part === given[index];
  return method === expected && wanted.length === given.length && wanted.every(isSame);
}

function readHttpApi(model: Model, api: Resource) {
  const apiId = api.value();
  const [stage, ...otherStages] = partsOfApi(model, 'AWS::ApiGatewayV2::Stage', apiId);
  if (stage?.value() !== '$default' || otherStages.length > 0) {
    throw new Error(`${api.path}: the emulator serves an HTTP API with the one stage $default`);
  }
  const cors = api.property('CorsConfiguration') as CorsConfiguration | undefined;
  if (cors && (cors.AllowOrigins.join() !== '*' || 'AllowCredentials' in cors)) {
    throw new Error(`${api.path}: the emulator has CORS for all origins, without credentials`);
  }
  const [route, ...more] = partsOfApi(model, 'AWS::ApiGatewayV2::Route', apiId);
  const routeKey = String(route?.property('RouteKey'));
  if (!route || !/^\$default$|^(?!ANY)[A-Z]+ \/[^+]*$/.test(routeKey) || more.length > 0) {
    throw new Error(`${api.path}: the emulator serves an HTTP API with one route, $default or <method> <path>`);
  }
  return {
    apiId,
    /** Its one route: `$default`, or a method and a path such as `POST /orders/{id}`. */
    routeKey,
    routeLimits: readRouteLimits(stage),
    ...(cors && { cors }),
    ...readRoute(model, apiId, route),
  };
}

/** The Lambda function behind a route, and its timeout. */
function readRoute(model: Model, apiId: string, route: Resource) {
  if ((route.property('AuthorizationType') ?? 'NONE') !== 'NONE') {
    throw new Error(`${route.path}: the emulator has no authorizers for HTTP APIs`);
  }
  const integrations = partsOfApi(model, 'AWS::ApiGatewayV2::Integration', apiId);
  const integration = partById(integrations, integrationIdOf(route), route.path);
  if (
    integration.property('IntegrationType') !== 'AWS_PROXY' ||
    integration.property('PayloadFormatVersion') !== '2.0'
  ) {
    throw new Error(`${integration.path}: the emulator serves Lambda integrations of payload format 2.0 only`);
  }
  const functionArn = functionArnIn(integration.property('IntegrationUri'), integration.path);
  const timeoutMs = Number(integration.property('TimeoutInMillis') ?? maxIntegrationMs);
  return { functionArn, timeoutMs };
}
