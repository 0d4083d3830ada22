import { entryMetadata } from '../lambda/definition.ts';
import type { Template, TemplateResource, Templates } from '../template/template.ts';

const handlers = 'infra/local/testing/handlers';

const ref = (id: string) => ({ Ref: id });
const attribute = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
const imported = (name: string) => ({ 'Fn::ImportValue': `Data:${name}` });

function fn(entry: string, variables: Record<string, unknown> = {}, properties = {}): TemplateResource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: { Handler: 'index.handler', Timeout: 10, Environment: { Variables: variables }, ...properties },
    Metadata: { [entryMetadata]: `${handlers}/${entry}` },
  };
}

const api = (id: string, type: string, properties: Record<string, unknown>): TemplateResource => ({
  Type: `AWS::ApiGatewayV2::${type}`,
  Properties: { ApiId: ref(id), ...properties },
});

/** How CDK writes the URI of a WebSocket API's Lambda integration or authorizer. */
const invocationUri = (id: string) =>
  join(
    'arn:',
    ref('AWS::Partition'),
    ':apigateway:',
    ref('AWS::Region'),
    ':lambda:path/2015-03-31/functions/',
    attribute(id, 'Arn'),
    '/invocations',
  );

const lambdaIntegration = (id: string) =>
  api('Ws', 'Integration', { IntegrationType: 'AWS_PROXY', IntegrationUri: invocationUri(id) });

const mockIntegration = () =>
  api('Ws', 'Integration', {
    IntegrationType: 'MOCK',
    RequestTemplates: { $default: '{"statusCode":200}' },
    TemplateSelectionExpression: '\\$default',
  });

const route = (key: string, integration: string, properties = {}) =>
  api('Ws', 'Route', { RouteKey: key, Target: join('integrations/', ref(integration)), ...properties });

const routeResponse = (routeId: string) =>
  api('Ws', 'RouteResponse', { RouteId: ref(routeId), RouteResponseKey: '$default' });

/** Tables, in the shape CDK synthesizes. */
export const dataTemplate: Template = {
  Resources: {
    Flags: {
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
        StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      },
    },
    Connections: {
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
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    },
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
export const realtimeTemplate: Template = {
  Resources: {
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

/** An HTTP API with CORS and one function behind `$default`. */
export const httpTemplate: Template = {
  Resources: {
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

/** Table stream → publish → FIFO queue → deliver, with a dead-letter queue and a failure destination. */
export const pushTemplate: Template = {
  Resources: {
    PublishFn: fn('publish.ts', { PUSH_QUEUE_URL: ref('PushQueue') }),
    DeliverFn: fn('deliver.ts'),
    DeadLetters: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    PushQueue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
        VisibilityTimeout: 30,
        RedrivePolicy: { deadLetterTargetArn: attribute('DeadLetters', 'Arn'), maxReceiveCount: 3 },
      },
    },
    PublishFailures: { Type: 'AWS::SQS::Queue' },
    StreamMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        DestinationConfig: { OnFailure: { Destination: attribute('PublishFailures', 'Arn') } },
        EventSourceArn: imported('FlagsStream'),
        FilterCriteria: {
          Filters: [
            {
              Pattern: JSON.stringify({
                eventName: ['INSERT', 'MODIFY'],
                dynamodb: { NewImage: { kind: { S: ['flag', 'segment'] } } },
              }),
            },
          ],
        },
        FunctionName: ref('PublishFn'),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumRetryAttempts: 2,
        StartingPosition: 'LATEST',
      },
    },
    QueueMapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 10,
        EventSourceArn: attribute('PushQueue', 'Arn'),
        FunctionName: ref('DeliverFn'),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
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

/** `templates` with one resource of a stack replaced or added. */
export function withResource(
  templates: Templates,
  stack: string,
  logicalId: string,
  resource: TemplateResource,
): Templates {
  const template = templates[stack] ?? {};
  return { ...templates, [stack]: { ...template, Resources: { ...template.Resources, [logicalId]: resource } } };
}
