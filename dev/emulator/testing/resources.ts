import { entryMetadata } from '../lambda/definition.ts';
import type { TemplateResource } from '../template/template.ts';

const handlers = 'dev/emulator/testing/handlers';

/** `Ref`. */
export const ref = (id: string) => ({ Ref: id });
/** `Fn::GetAtt`. */
export const attribute = (id: string, name: string) => ({ 'Fn::GetAtt': [id, name] });
/** `Fn::Join` with nothing in between. */
export const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
/** `Fn::ImportValue` of an export of stack `Data`. */
export const imported = (name: string) => ({ 'Fn::ImportValue': `Data:${name}` });

/** A role that may do what statements say. */
export const role = (...statements: object[]): TemplateResource => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'Own', PolicyDocument: { Statement: statements } }] },
});

/** A statement that allows actions on one resource. */
export const allow = (Resource: unknown, ...Action: string[]) => ({ Effect: 'Allow', Action, Resource });

/** Lets API Gateway call a function for whatever of the API `apiId` ends so. */
export const callableFor = (functionId: string, apiId: string, source: string): TemplateResource => ({
  Type: 'AWS::Lambda::Permission',
  Properties: {
    Action: 'lambda:InvokeFunction',
    FunctionName: attribute(functionId, 'Arn'),
    Principal: 'apigateway.amazonaws.com',
    SourceArn: join('arn:aws:execute-api:us-east-1:', ref('AWS::AccountId'), ':', ref(apiId), source),
  },
});

/** A function whose entry is a handler of this folder, under the role `Role` of its stack. */
export function fn(entry: string, variables: Record<string, unknown> = {}, properties = {}): TemplateResource {
  return {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Handler: 'index.handler',
      Timeout: 10,
      Environment: { Variables: variables },
      Role: attribute('Role', 'Arn'),
      ...properties,
    },
    Metadata: { [entryMetadata]: `${handlers}/${entry}` },
  };
}

/** A part of the API `id`. */
export const api = (id: string, type: string, properties: Record<string, unknown>): TemplateResource => ({
  Type: `AWS::ApiGatewayV2::${type}`,
  Properties: { ApiId: ref(id), ...properties },
});

/** CDK's URI of a Lambda integration or authorizer of a WebSocket API. */
export const invocationUri = (id: string) =>
  join(
    'arn:',
    ref('AWS::Partition'),
    ':apigateway:',
    ref('AWS::Region'),
    ':lambda:path/2015-03-31/functions/',
    attribute(id, 'Arn'),
    '/invocations',
  );

/** A Lambda integration of the WebSocket API `Ws`. */
export const lambdaIntegration = (id: string) =>
  api('Ws', 'Integration', { IntegrationType: 'AWS_PROXY', IntegrationUri: invocationUri(id) });

/** A MOCK integration of `Ws` that says 200. */
export const mockIntegration = () =>
  api('Ws', 'Integration', {
    IntegrationType: 'MOCK',
    RequestTemplates: { $default: '{"statusCode":200}' },
    TemplateSelectionExpression: '\\$default',
  });

/** A route of `Ws`. */
export const route = (key: string, integration: string, properties = {}) =>
  api('Ws', 'Route', { RouteKey: key, Target: join('integrations/', ref(integration)), ...properties });

/** The route response of a route of `Ws`. */
export const routeResponse = (routeId: string) =>
  api('Ws', 'RouteResponse', { RouteId: ref(routeId), RouteResponseKey: '$default' });
