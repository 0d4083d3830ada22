import { describe, expect, test } from '@jest/globals';
import {
  functionWithEntry,
  type Properties,
  resourcesOf,
  templateOf,
  templateWith,
  textOf,
} from '../../stacks/testing/templates.ts';

const template = templateOf('Serverless');
const invocation = 'arn:{AWS::Partition}:apigateway:{AWS::Region}:lambda:path/2015-03-31/functions';

describe('the WebSocket API', () => {
  test('selects routes by messageType and is deployed by itself to the stage SDKs ask for', () => {
    const api = theOnly('Api', ({ ProtocolType }) => ProtocolType === 'WEBSOCKET');
    expect(api['RouteSelectionExpression']).toBe('$request.body.messageType');
    const stage = theOnly('Stage', ({ StageName }) => StageName === 'streaming');
    expect(stage).toMatchObject({
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 },
    });
  });

  test('gives each route that clients send to a share of the rate, so that pings leave some to data-syncs', () => {
    const stage = theOnly('Stage', ({ StageName }) => StageName === 'streaming');
    expect(stage['RouteSettings']).toEqual({
      ping: { ThrottlingRateLimit: 6_000, ThrottlingBurstLimit: 3_000 },
      'data-sync': { ThrottlingRateLimit: 3_000, ThrottlingBurstLimit: 1_500 },
      $default: { ThrottlingRateLimit: 200, ThrottlingBurstLimit: 100 },
    });
    // The stage cannot be made before the routes that it names.
    const keys = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ properties }) => properties['RouteKey']);
    expect(keys).toEqual(expect.arrayContaining(Object.keys(stage['RouteSettings'] as Properties)));
  });

  test('deploys the stage after every route and every response', () => {
    const stages = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');
    const { DependsOn = [] } = stages.find(({ properties }) => properties['StageName'] === 'streaming')?.template ?? {};
    const types = DependsOn.map((id) => template.Resources[id]?.Type);
    for (const [type, count] of Object.entries({ Route: 5, RouteResponse: 3, IntegrationResponse: 2 })) {
      expect(types.filter((candidate) => candidate === `AWS::ApiGatewayV2::${type}`)).toHaveLength(count);
    }
  });

  test.each([
    ['data-sync', 'functions/lambda/sync.ts'],
    ['$default', 'functions/lambda/default.ts'],
    ['$disconnect', 'functions/lambda/disconnect.ts'],
  ])('sends %s to %s', (routeKey, entry) => {
    const integration = integrationOf(routeKey);
    expect(integration['IntegrationType']).toBe('AWS_PROXY');
    expect(textOf(integration['IntegrationUri'])).toBe(`${invocation}/${arnOf(entry)}/invocations`);
  });

  test.each(['$connect', 'ping'])('answers %s without a Lambda', (routeKey) => {
    expect(integrationOf(routeKey)).toMatchObject({
      IntegrationType: 'MOCK',
      RequestTemplates: { 200: '{"statusCode":200}' },
      TemplateSelectionExpression: '200',
    });
    expect(integrationResponsesOf(routeKey)).toHaveLength(1);
  });

  test('answers ping with exactly this pong', () => {
    expect(integrationResponsesOf('ping')[0]).toMatchObject({
      IntegrationResponseKey: '$default',
      TemplateSelectionExpression: '200',
      ResponseTemplates: { 200: '{"messageType":"pong","data":{}}' },
    });
  });

  test('takes pings in silence where it is told to', () => {
    const silent = templateWith('Serverless', { pongs: false });
    const routes = resourcesOf(silent, 'AWS::ApiGatewayV2::Route');
    const ping = routes.find(({ properties: { RouteKey } }) => RouteKey === 'ping');
    expect(ping?.properties).not.toHaveProperty('RouteResponseSelectionExpression');
    expect(resourcesOf(silent, 'AWS::ApiGatewayV2::RouteResponse')).toHaveLength(2);
  });

  test('answers by the route what needs no order: data-syncs are answered by posts', () => {
    const answered = properties('RouteResponse').map(({ RouteResponseKey, RouteId }) => {
      expect(RouteResponseKey).toBe('$default');
      return template.Resources[(RouteId as { Ref: string }).Ref]?.Properties?.['RouteKey'];
    });
    expect(answered.sort()).toEqual(['$connect', '$default', 'ping']);
    for (const { RouteKey, RouteResponseSelectionExpression } of webSocketRoutes()) {
      expect(RouteResponseSelectionExpression).toBe(answered.includes(RouteKey) ? '$default' : undefined);
    }
  });

  test('gives $connect a response without a template, which sends nothing to clients', () => {
    expect(integrationResponsesOf('$connect')[0]).not.toHaveProperty('ResponseTemplates');
  });

  test('has these routes and no other', () => {
    const routeKeys = webSocketRoutes().map(({ RouteKey }) => RouteKey);
    expect(routeKeys.sort()).toEqual(['$connect', '$default', '$disconnect', 'data-sync', 'ping']);
  });
});

describe('the authorizer', () => {
  const authorizer = theOnly('Authorizer');

  test('is the connect function, asked with the whole request and only if there is a token', () => {
    expect(authorizer).toMatchObject({
      AuthorizerType: 'REQUEST',
      IdentitySource: ['route.request.querystring.token'],
    });
    const uri = `${invocation}/${arnOf('functions/lambda/connect.ts')}/invocations`;
    expect(textOf(authorizer['AuthorizerUri'])).toBe(uri);
  });

  test('guards $connect; no other route can have one', () => {
    for (const { RouteKey, AuthorizationType } of webSocketRoutes()) {
      expect(AuthorizationType).toBe(RouteKey === '$connect' ? 'CUSTOM' : 'NONE');
    }
  });
});

function properties(type: string): Properties[] {
  return resourcesOf(template, `AWS::ApiGatewayV2::${type}`).map((resource) => resource.properties);
}

function theOnly(type: string, matches: (candidate: Properties) => boolean = () => true): Properties {
  const found = properties(type).filter(matches);
  expect(found).toHaveLength(1);
  return found[0] ?? {};
}

function webSocketRoutes(): Properties[] {
  return properties('Route').filter(({ ApiId }) => textOf(ApiId) === '{StreamingApi}');
}

function integrationIdOf(routeKey: string): string {
  const route = theOnly('Route', ({ ApiId, RouteKey }) => textOf(ApiId) === '{StreamingApi}' && RouteKey === routeKey);
  const { 'Fn::Join': join } = route['Target'] as { 'Fn::Join': [string, [string, { Ref: string }]] };
  return join[1][1].Ref;
}

function integrationOf(routeKey: string): Properties {
  return template.Resources[integrationIdOf(routeKey)]?.Properties ?? {};
}

function integrationResponsesOf(routeKey: string): Properties[] {
  const id = integrationIdOf(routeKey);
  return properties('IntegrationResponse').filter(({ IntegrationId }) => (IntegrationId as { Ref: string }).Ref === id);
}

function arnOf(entry: string): string {
  return textOf({ 'Fn::GetAtt': [functionWithEntry(template, entry).id, 'Arn'] });
}
