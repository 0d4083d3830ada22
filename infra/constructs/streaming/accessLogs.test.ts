import { describe, expect, test } from '@jest/globals';
import { readMeasured } from '../../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../../cost/assumptions/ranges.ts';
import { readConfig } from '../../config/config.ts';
import { type Properties, resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';
import { httpLogFields, streamingLogFields } from './accessLogs.ts';

/** The only variables that may be logged: a query string holds a connection's token, and headers hold secrets. */
const harmless =
  /^\$context\.(requestId|status|httpMethod|path|response(Latency|Length)|routeKey|connectionId|integrationErrorMessage|identity\.sourceIp|error\.message|authorizer\.(envId|error))$/;

/** What a ping or a request with events fills in; `-` is what API Gateway writes for the rest. */
const TYPICAL: Readonly<Record<string, string>> = {
  '$context.requestId': 'Ft8WxGMdIAMFa1A=',
  '$context.identity.sourceIp': '203.0.113.117',
  '$context.status': '200',
  '$context.routeKey': 'ping',
  '$context.connectionId': 'Ft8WwfVhIAMCJ8A=',
  '$context.authorizer.envId': '226b9bf8-4af3-4ffa-9b01-162270e4cd40',
  '$context.httpMethod': 'POST',
  '$context.path': '/api/public/insight/track',
  '$context.responseLatency': '12',
  '$context.responseLength': '0',
};

describe('access logs', () => {
  test.each([...Object.values(streamingLogFields), ...Object.values(httpLogFields)])('%s tells no secret', (value) => {
    for (const variable of value.split(' ')) expect(variable).toMatch(harmless);
  });

  test('are of the length that the cost model assumes', () => {
    const filled = (fields: Readonly<Record<string, string>>) =>
      Buffer.byteLength(
        JSON.stringify(fields).replaceAll(/\$context\.[\w.]+/g, (variable) => TYPICAL[variable] ?? '-'),
      );
    const { low, expected, high } = rangesFrom(readMeasured()).accessLogBytes;
    expect(filled(streamingLogFields)).toBe(expected);
    expect(filled(httpLogFields)).toBeGreaterThan(low);
    expect(filled(httpLogFields)).toBeLessThan(high);
  });

  test('are one JSON object a request, in a log group kept as long as configured', () => {
    const context = { stage: 'prod', accessLogRetentionDays: 90 };
    for (const [api, fields] of [
      ['Streaming', streamingLogFields],
      ['Polling', httpLogFields],
    ] as const) {
      const settings = stageOf(api, context)['AccessLogSettings'] as { DestinationArn: unknown; Format: string };
      expect(textOf(settings.DestinationArn)).toBe(`{${api}VendedAccessLogs.Arn}`);
      expect(JSON.parse(settings.Format)).toEqual(fields);
    }
    for (const { properties } of groupsOf('VendedAccessLogs', context)) expect(properties['RetentionInDays']).toBe(90);
  });

  test('are where one policy of the account lets AWS write to all, under a name that no stack before has had', () => {
    const names = groupsOf('VendedAccessLogs', { stage: 'prod' }).map(({ properties }) =>
      textOf(properties['LogGroupName']),
    );
    expect(names.sort()).toEqual(['/aws/vendedlogs/flagwire/{PollingApi}', '/aws/vendedlogs/flagwire/{StreamingApi}']);
  });

  test.each([
    ['dev', undefined, false, false],
    ['dev', 'create-role', true, true],
    ['dev', 'existing-role', true, false],
    ['prod', undefined, true, false],
    ['prod', 'create-role', true, true],
    ['prod', 'off', false, false],
  ] as const)(
    'of the WebSocket API in %s, set to %s: written %s, role set for the account %s',
    (stage, setting, written, role) => {
      const context = { stage, ...(setting && { streamingAccessLogs: setting }) };
      expect('AccessLogSettings' in stageOf('Streaming', context)).toBe(written);
      expect(resourcesOf(templateWith('Serverless', context), 'AWS::ApiGateway::Account')).toHaveLength(role ? 1 : 0);
    },
  );

  test("the account's role stays when the stack goes, and is there before the stage needs it", () => {
    const template = templateWith('Serverless', { stage: 'dev', streamingAccessLogs: 'create-role' });
    const own = Object.entries(template.Resources).filter(([id]) => id.startsWith('StreamingAccessLogRole'));
    expect(own.map(([, { Type, DeletionPolicy }]) => [Type, DeletionPolicy])).toEqual([
      ['AWS::IAM::Role', 'Retain'],
      ['AWS::ApiGateway::Account', 'Retain'],
    ]);
    const stage = resourcesOf(template, 'AWS::ApiGatewayV2::Stage').find(({ id }) => id.startsWith('Streaming'));
    expect(stage?.template.DependsOn).toEqual(expect.arrayContaining(own.map(([id]) => id)));
  });
});

describe('execution logs of the WebSocket API', () => {
  const routeSettings = (context: Readonly<Record<string, unknown>>) =>
    stageOf('Streaming', context)['DefaultRouteSettings'] as Properties;

  test.each(['dev', 'prod'])('are off in %s', (stage) => {
    expect(routeSettings({ stage })).not.toHaveProperty('LoggingLevel');
    expect(groupsOf('ExecutionLogs', { stage })).toEqual([]);
  });

  const context = { stage: 'dev', streamingExecutionLogs: true };

  test('tell of errors, never of messages, where they are asked for; they are written by the role of the account', () => {
    expect(routeSettings(context)).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    const routes = Object.values(stageOf('Streaming', context)['RouteSettings'] as Properties);
    expect(routes).toHaveLength(3);
    for (const route of routes) expect(route).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
    expect(resourcesOf(templateWith('Serverless', context), 'AWS::ApiGateway::Account')).toEqual([]);
    const withRole = { ...context, streamingAccessLogs: 'create-role' } as const;
    expect(routeSettings(withRole)).toMatchObject({ LoggingLevel: 'ERROR' });
    expect(resourcesOf(templateWith('Serverless', withRole), 'AWS::ApiGateway::Account')).toHaveLength(1);
  });

  test('go to a group of the stack, which ends with it, under the name that API Gateway gives it', () => {
    const [group, ...others] = groupsOf('ExecutionLogs', context);
    expect(others).toEqual([]);
    expect(textOf(group?.properties['LogGroupName'])).toBe('/aws/apigateway/{StreamingApi}/streaming');
    expect(group?.properties['RetentionInDays']).toBe(30);
    expect(group?.template.DeletionPolicy).toBe('Delete');
    const stage = resourcesOf(templateWith('Serverless', context), 'AWS::ApiGatewayV2::Stage').find(({ id }) =>
      id.startsWith('Streaming'),
    );
    expect(stage?.template.DependsOn).toContain(group?.id);
  });

  test('cannot be had without the role', () => {
    expect(() => readConfig({ ...context, streamingAccessLogs: 'off' })).toThrow(
      'streamingExecutionLogs cannot be used: streamingAccessLogs is off, and both take its role; ' +
        'say create-role or existing-role.',
    );
  });
});

/** The log groups of this name, below whichever construct. */
function groupsOf(name: string, context: Readonly<Record<string, unknown>>) {
  const groups = resourcesOf(templateWith('Serverless', context), 'AWS::Logs::LogGroup');
  return groups.filter(({ id }) => new RegExp(`^(Streaming|Polling)${name}[0-9A-F]{8}$`).test(id));
}

function stageOf(api: 'Streaming' | 'Polling', context: Readonly<Record<string, unknown>>): Properties {
  const stages = resourcesOf(templateWith('Serverless', context), 'AWS::ApiGatewayV2::Stage');
  return stages.find(({ id }) => id.startsWith(api))?.properties ?? {};
}
