import { describe, expect, test } from '@jest/globals';
import { type Properties, resourcesOf, templateWith, textOf } from '../stacks/testing/templates.ts';
import { httpLogFields, streamingLogFields } from './accessLogs.ts';

/** The only variables that may be logged: a query string holds a connection's token, and headers hold secrets. */
const harmless =
  /^\$context\.(requestId|requestTime|status|httpMethod|path|response(Latency|Length)|eventType|routeKey|connectionId|integrationErrorMessage|identity\.sourceIp|error\.message|authorizer\.(envId|error))$/;

describe('access logs', () => {
  test.each([...Object.values(streamingLogFields), ...Object.values(httpLogFields)])(
    '%s tells no secret',
    (variable) => {
      expect(variable).toMatch(harmless);
    },
  );

  test('are one JSON object a request, in a log group kept as long as configured', () => {
    const context = { stage: 'prod', 'flagwire:accessLogRetentionDays': 90 };
    for (const [api, fields] of [
      ['Streaming', streamingLogFields],
      ['Polling', httpLogFields],
    ] as const) {
      const settings = stageOf(api, context)['AccessLogSettings'] as { DestinationArn: unknown; Format: string };
      expect(textOf(settings.DestinationArn)).toBe(`{${api}AccessLogs.Arn}`);
      expect(JSON.parse(settings.Format)).toEqual(fields);
    }
    const groups = resourcesOf(templateWith('Serverless', context), 'AWS::Logs::LogGroup');
    const ours = groups.filter(({ id }) => id.includes('AccessLogs'));
    expect(ours.map(({ properties }) => properties['RetentionInDays'])).toEqual([90, 90]);
  });

  test.each([
    ['dev', undefined, false, false],
    ['dev', 'create-role', true, true],
    ['dev', 'existing-role', true, false],
    ['prod', undefined, true, true],
    ['prod', 'off', false, false],
  ] as const)(
    'of the WebSocket API in %s, set to %s: written %s, role set for the account %s',
    (stage, setting, written, role) => {
      const context = { stage, ...(setting && { 'flagwire:streamingAccessLogs': setting }) };
      expect('AccessLogSettings' in stageOf('Streaming', context)).toBe(written);
      expect(resourcesOf(templateWith('Serverless', context), 'AWS::ApiGateway::Account')).toHaveLength(role ? 1 : 0);
    },
  );

  test("the account's role stays when the stack goes, and is there before the stage needs it", () => {
    const template = templateWith('Serverless', { stage: 'dev', 'flagwire:streamingAccessLogs': 'create-role' });
    const own = Object.entries(template.Resources).filter(([id]) => id.startsWith('StreamingAccessLogRole'));
    expect(own.map(([, { Type, DeletionPolicy }]) => [Type, DeletionPolicy])).toEqual([
      ['AWS::IAM::Role', 'Retain'],
      ['AWS::ApiGateway::Account', 'Retain'],
    ]);
    const stage = resourcesOf(template, 'AWS::ApiGatewayV2::Stage').find(({ id }) => id.startsWith('Streaming'));
    expect(stage?.template.DependsOn).toEqual(expect.arrayContaining(own.map(([id]) => id)));
  });
});

function stageOf(api: 'Streaming' | 'Polling', context: Readonly<Record<string, unknown>>): Properties {
  const stages = resourcesOf(templateWith('Serverless', context), 'AWS::ApiGatewayV2::Stage');
  return stages.find(({ id }) => id.startsWith(api))?.properties ?? {};
}
