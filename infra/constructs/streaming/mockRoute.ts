import {
  CfnIntegrationResponse,
  type IWebSocketRouteAuthorizer,
  type WebSocketApi,
  type WebSocketIntegration,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketMockIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';

/** The constant key by which API Gateway picks the one template there is, for requests and for responses. */
const templateKey = '200';

/** A route that API Gateway answers by itself, without a Lambda. */
interface MockRoute {
  readonly routeKey: string;
  /** The frame sent back, byte for byte; without it the route takes the message and stays silent. */
  readonly reply?: string;
  /** Only for `$connect`: who decides whether the handshake is accepted. */
  readonly authorizer?: IWebSocketRouteAuthorizer;
}

/**
 * Adds a route with a MOCK integration, which always succeeds (status 200).
 *
 * A non-proxy integration needs an integration response even when nothing is sent back, and a route response to send
 * anything. `$connect` has both, and sends nothing: its integration response has no template. CDK has no construct for the former. The reply is a template to API Gateway, where `$` and `#` are syntax.
 *
 * @throws Error if the reply contains `$` or `#`
 */
export function addMockRoute(api: WebSocketApi, { routeKey, reply, authorizer }: MockRoute): void {
  if (reply !== undefined && /[$#]/.test(reply)) {
    throw new Error(
      `The reply of the MOCK route ${routeKey} contains $ or #, which API Gateway's templates would interpret.`,
    );
  }
  const route = api.addRoute(routeKey, {
    integration: new WebSocketMockIntegration('Mock', {
      requestTemplates: { [templateKey]: '{"statusCode":200}' },
      templateSelectionExpression: templateKey,
    }),
    // Without a response, the handshake of $connect may fail.
    returnResponse: reply !== undefined || routeKey === '$connect',
    ...(authorizer && { authorizer }),
  });
  const integration = route.node.findChild('Mock') as WebSocketIntegration;
  new CfnIntegrationResponse(route, 'IntegrationResponse', {
    apiId: api.apiId,
    integrationId: integration.integrationId,
    integrationResponseKey: '$default',
    ...(reply !== undefined && {
      templateSelectionExpression: templateKey,
      responseTemplates: { [templateKey]: reply },
    }),
  });
}
