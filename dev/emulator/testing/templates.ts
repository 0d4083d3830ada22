import type { Template, TemplateResource, Templates } from '../template/template.ts';
import { pushTemplate } from './pushTemplate.ts';
import {
  api,
  attribute,
  callableFor,
  fn,
  imported,
  invocationUri,
  join,
  lambdaIntegration,
  mockIntegration,
  ref,
  role,
  route,
  routeResponse,
} from './resources.ts';

/** A table in the shape CDK synthesizes. @param properties besides its keys */
const table = (properties: object) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    ...properties,
  },
});

export const dataTemplate: Template = {
  Resources: {
    Flags: table({ StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
    Connections: table({ TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } }),
  },
  Outputs: {
    FlagsName: { Value: ref('Flags'), Export: { Name: 'Data:FlagsName' } },
    ConnectionsName: { Value: ref('Connections'), Export: { Name: 'Data:ConnectionsName' } },
    FlagsStream: { Value: attribute('Flags', 'StreamArn'), Export: { Name: 'Data:FlagsStream' } },
  },
};

const stageUrl = join(
  'https://',
  ref('Ws'),
  '.execute-api.',
  ref('AWS::Region'),
  '.',
  ref('AWS::URLSuffix'),
  '/streaming',
);

/** A WebSocket API with every kind of route, in the shape CDK synthesizes. */
const realtimeTemplate: Template = {
  Resources: {
    Role: role(),
    AuthorizerCallable: callableFor('AuthorizerFn', 'Ws', '/authorizers/*'),
    EchoCallable: callableFor('EchoFn', 'Ws', '/streaming/*'),
    DisconnectCallable: callableFor('DisconnectFn', 'Ws', '/*$disconnect'),
    AuthorizerFn: fn('authorizer.ts', { FLAGS_TABLE: imported('FlagsName') }),
    EchoFn: fn('echo.ts', { CONNECTIONS_ENDPOINT: stageUrl }, { Timeout: 2 }),
    DisconnectFn: fn('disconnect.ts', { CONNECTIONS_TABLE: imported('ConnectionsName') }),
    Ws: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Name: 'Ws',
        ProtocolType: 'WEBSOCKET',
        RouteSelectionExpression: '$request.body.messageType',
      },
    },
    Stage: api('Ws', 'Stage', { StageName: 'streaming', AutoDeploy: true }),
    Authorizer: api('Ws', 'Authorizer', {
      AuthorizerType: 'REQUEST',
      AuthorizerUri: invocationUri('AuthorizerFn'),
      IdentitySource: ['route.request.querystring.token'],
    }),
    ConnectMock: mockIntegration(),
    ConnectRoute: route('$connect', 'ConnectMock', {
      AuthorizationType: 'CUSTOM',
      AuthorizerId: ref('Authorizer'),
    }),
    PingMock: mockIntegration(),
    PingResponse: api('Ws', 'IntegrationResponse', {
      IntegrationId: ref('PingMock'),
      IntegrationResponseKey: '$default',
      ResponseTemplates: { $default: '{"messageType":"pong","data":{}}' },
      TemplateSelectionExpression: '\\$default',
    }),
    PingRoute: route('ping', 'PingMock', { RouteResponseSelectionExpression: '$default' }),
    PingRouteResponse: routeResponse('PingRoute'),
    Echo: lambdaIntegration('EchoFn'),
    EchoRoute: route('echo', 'Echo', { RouteResponseSelectionExpression: '$default' }),
    EchoRouteResponse: routeResponse('EchoRoute'),
    SilentRoute: route('silent', 'Echo'),
    DefaultRoute: route('$default', 'Echo', { RouteResponseSelectionExpression: '$default' }),
    DefaultRouteResponse: routeResponse('DefaultRoute'),
    DisconnectIntegration: lambdaIntegration('DisconnectFn'),
    DisconnectRoute: route('$disconnect', 'DisconnectIntegration'),
  },
};

/** An HTTP API with CORS and one function behind `$default`, and one with a single route. */
const httpTemplate: Template = {
  Resources: {
    Role: role(),
    HttpCallable: callableFor('HttpFn', 'HttpApi', '/*/*'),
    HttpFn: fn('http.ts', { INSIGHT_STREAM: ref('Insight') }),
    HttpApi: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Name: 'Http',
        ProtocolType: 'HTTP',
        CorsConfiguration: {
          AllowOrigins: ['*'],
          AllowMethods: ['GET', 'POST', 'OPTIONS'],
          AllowHeaders: ['authorization', 'content-type'],
          MaxAge: 3600,
        },
      },
    },
    HttpStage: api('HttpApi', 'Stage', { StageName: '$default', AutoDeploy: true }),
    HttpIntegration: api('HttpApi', 'Integration', {
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: attribute('HttpFn', 'Arn'),
      PayloadFormatVersion: '2.0',
      TimeoutInMillis: 500,
    }),
    OrdersCallable: callableFor('HttpFn', 'Orders', '/*/POST/orders/{id}'),
    Orders: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'Orders', ProtocolType: 'HTTP' } },
    OrdersStage: api('Orders', 'Stage', { StageName: '$default', AutoDeploy: true }),
    OrdersIntegration: api('Orders', 'Integration', {
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: attribute('HttpFn', 'Arn'),
      PayloadFormatVersion: '2.0',
    }),
    OrdersRoute: api('Orders', 'Route', {
      RouteKey: 'POST /orders/{id}',
      Target: join('integrations/', ref('OrdersIntegration')),
    }),
    HttpRoute: api('HttpApi', 'Route', {
      RouteKey: '$default',
      AuthorizationType: 'NONE',
      Target: join('integrations/', ref('HttpIntegration')),
    }),
    Insight: {
      Type: 'AWS::KinesisFirehose::DeliveryStream',
      Properties: { DeliveryStreamType: 'DirectPut' },
    },
  },
};

/** A small app of the same resource types as the real one. */
export const exampleTemplates: Templates = {
  Data: dataTemplate,
  Realtime: realtimeTemplate,
  Http: httpTemplate,
  Push: pushTemplate,
};

/** `templates` with one resource of a stack replaced or added; undefined takes it away. */
export function withResource(
  templates: Templates,
  stack: string,
  logicalId: string,
  resource: TemplateResource | undefined,
): Templates {
  const template = templates[stack] ?? {};
  const { [logicalId]: _replaced, ...others } = template.Resources ?? {};
  return {
    ...templates,
    [stack]: { ...template, Resources: { ...others, ...(resource && { [logicalId]: resource }) } },
  };
}

/** `templates` with some properties of one resource of a stack replaced or added. */
export function withProperties(
  templates: Templates,
  stack: string,
  logicalId: string,
  properties: Readonly<Record<string, unknown>>,
): Templates {
  const resource = templates[stack]?.Resources?.[logicalId];
  if (!resource) throw new Error(`${stack} has no resource "${logicalId}"`);
  return withResource(templates, stack, logicalId, {
    ...resource,
    Properties: { ...resource.Properties, ...properties },
  });
}

/** `templates` in which a function of a stack is throttled always: it has no concurrent executions. */
export function withThrottled(templates: Templates, stack: string, functionId: string): Templates {
  return withProperties(templates, stack, functionId, { ReservedConcurrentExecutions: 0 });
}
