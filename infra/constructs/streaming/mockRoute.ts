import {
  CfnIntegrationResponse,
  type IWebSocketRouteAuthorizer,
  type WebSocketApi,
  type WebSocketIntegration,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketMockIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';

/** The constant key with which API Gateway selects the only template, for requests and for responses. */
const templateKey = '200';

/** A route that API Gateway answers without a Lambda function. */
interface MockRoute {
  readonly routeKey: string;
  /** The reply frame, byte for byte, without `$` and `#`, which templates interpret. Without it, the route accepts the message and sends nothing. */
  readonly reply?: string;
  /** For `$connect` only: the authorizer of handshakes. */
  readonly authorizer?: IWebSocketRouteAuthorizer;
}

/**
 * Adds a route with a MOCK integration, which always succeeds (status 200).
 *
 * A non-proxy integration always needs an integration response, and a route response if it sends a reply. `$connect` has both, and sends
 * nothing: its integration response has no template. CDK has no construct for an integration response.
 */
export function addMockRoute(api: WebSocketApi, { routeKey, reply, authorizer }: MockRoute): void {
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
