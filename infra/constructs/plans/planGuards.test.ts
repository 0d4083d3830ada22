import { describe, expect, test } from '@jest/globals';
import { functionWithEntry, resourcesOf, templateOf, templateWith } from '../../stacks/testing/templates.ts';

describe('the guard of plans', () => {
  const template = templateOf('Data');

  test('is called when an alarm enters ALARM, and is retried', () => {
    const { id } = functionWithEntry(template, 'functions/lambda/guard.ts');
    const rules = resourcesOf(template, 'AWS::Events::Rule').filter(({ properties }) => properties['EventPattern']);
    expect(rules.map(({ properties }) => properties)).toMatchObject([
      {
        EventPattern: { source: ['aws.cloudwatch'], detail: { state: { value: ['ALARM'] } } },
        Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] } }],
      },
    ]);
    const configured = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig');
    expect(configured.map(({ properties }) => properties['FunctionName'])).not.toContainEqual({ Ref: id });
  });

  test('is called by requests of one route, at most 250 per second', () => {
    const { id } = functionWithEntry(template, 'functions/lambda/guard.ts');
    const only = (type: string) =>
      resourcesOf(template, `AWS::ApiGatewayV2::${type}`).map(({ properties }) => properties);
    expect(only('Route')).toMatchObject([{ RouteKey: 'POST /guards/{environment}/{plan}' }]);
    expect(only('Integration')).toMatchObject([{ IntegrationUri: { 'Fn::GetAtt': [id, 'Arn'] } }]);
    expect(only('Stage')).toMatchObject([
      { DefaultRouteSettings: { ThrottlingRateLimit: 250, ThrottlingBurstLimit: 250 }, AccessLogSettings: {} },
    ]);
  });

  test('keeps the access logs of its API for the configured days', () => {
    const data = templateWith('Data', { accessLogRetentionDays: 7 });
    const { properties } = resourcesOf(data, 'AWS::ApiGatewayV2::Stage')[0] ?? {};
    const days = resourcesOf(data, 'AWS::Logs::LogGroup')
      .filter(({ id }) => JSON.stringify(properties?.['AccessLogSettings']).includes(id))
      .map((group) => group.properties['RetentionInDays']);
    expect(days).toEqual([7]);
  });

  test('has an alarm on errors, which a lean deployment leaves out', () => {
    const names = (stage: string) =>
      resourcesOf(templateOf('Data', stage), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties['AlarmName']);
    expect(names('prod')).toContain('Flagwire-prod-guard-errors');
    expect(names('dev')).toEqual([]);
  });
});
