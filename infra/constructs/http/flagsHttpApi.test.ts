import { expect, test } from '@jest/globals';
import { corsPolicy } from '../../../shared/protocol/cors.ts';
import { expectResource, functionWithEntry, resourcesOf, templateOf, textOf } from '../../stacks/testing/templates.ts';

const template = templateOf('Serverless');
const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ properties }) => properties);

test('every path goes to the Http function, open to all: the function checks secrets', () => {
  const [route, ...others] = routes.filter((candidate) => textOf(candidate['ApiId']) === '{PollingApi}');
  expect(others).toEqual([]);
  expect(route).toMatchObject({ RouteKey: '$default', AuthorizationType: 'NONE' });

  const integrationId = textOf(route?.['Target']).replace(/^integrations/, '');
  expect(integrationId).toBe('/{PollingApiDefaultRouteIntegration}');
  const { id } = functionWithEntry(template, 'functions/lambda/http.ts');
  expectResource('Serverless', 'AWS::ApiGatewayV2::Integration', {
    IntegrationType: 'AWS_PROXY',
    PayloadFormatVersion: '2.0',
    IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] },
  });
});

test('preflights are answered by the policy that all edges share', () => {
  expectResource('Serverless', 'AWS::ApiGatewayV2::Api', {
    ProtocolType: 'HTTP',
    CorsConfiguration: {
      AllowOrigins: corsPolicy.allowOrigins,
      AllowMethods: corsPolicy.allowMethods,
      AllowHeaders: corsPolicy.allowHeaders,
      ExposeHeaders: corsPolicy.exposeHeaders,
      MaxAge: corsPolicy.maxAgeSeconds,
    },
  });
});

test('it is deployed by itself, to the stage without a path, and throttled to a share', () => {
  expectResource('Serverless', 'AWS::ApiGatewayV2::Stage', {
    StageName: '$default',
    AutoDeploy: true,
    DefaultRouteSettings: { ThrottlingRateLimit: 3_000, ThrottlingBurstLimit: 1_500 },
  });
});
