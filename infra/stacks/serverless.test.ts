import { describe, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import {
  functionWithEntry,
  resourcesOf,
  serviceFunctions,
  templateOf,
  templateWith,
  textOf,
} from './testing/templates.ts';

const tables = { FLAGS_TABLE: '{Flags}', CONNECTIONS_TABLE: '{Connections}' };
const connectionsEndpoint = 'https://{StreamingApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/streaming';
const answering = { ...tables, CONNECTIONS_ENDPOINT: connectionsEndpoint, MISSING_ATTRIBUTE: 'empty' };

const environments: [entry: string, environment: Record<string, string>][] = [
  ['functions/lambda/connect.ts', tables],
  ['functions/lambda/sync.ts', { ...answering, POSTS_PER_SECOND: '50' }],
  ['functions/lambda/default.ts', { ...answering, POSTS_PER_SECOND: '50' }],
  ['functions/lambda/disconnect.ts', { CONNECTIONS_TABLE: '{Connections}' }],
  [
    'functions/lambda/publish.ts',
    {
      FLAGS_TABLE: '{Flags}',
      CONNECTIONS_TABLE: '{Connections}',
      GROUPS_PER_ENVIRONMENT: '3',
      PUSH_QUEUE_URL: '{PushQueue}',
      REVOCATION_QUEUE_URL: '{PushRevocationsQueue}',
    },
  ],
  [
    'functions/lambda/revoke.ts',
    {
      CONNECTIONS_TABLE: '{Connections}',
      CONNECTIONS_ENDPOINT: connectionsEndpoint,
    },
  ],
  [
    'functions/lambda/heal.ts',
    {
      ...answering,
      POSTS_PER_SECOND: '500',
      SERVICE_VERSION: packageJson.version,
      REVOCATION_QUEUE_URL: '{PushRevocationsQueue}',
    },
  ],
  [
    'functions/lambda/deliver.ts',
    {
      ...answering,
      PUSH_QUEUE_URL: '{PushQueue}',
      UNDELIVERED_QUEUE_URL: '{PushUndelivered}',
      POSTS_PER_SECOND: '1000',
    },
  ],
  [
    'functions/lambda/http.ts',
    {
      FLAGS_TABLE: '{Flags}',
      INSIGHT_STREAM: '{InsightStream}',
      USAGE_TABLE: '{Usage}',
      MISSING_ATTRIBUTE: 'empty',
    },
  ],
];

const taggedContext = {
  stage: 'prod',
  tags: { 'cost-center': '42' },
  alarmEmail: 'ops@example.com',
  domain: {
    name: 'flags.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
  },
};

describe('the functions of the serverless stack', () => {
  const template = templateOf('Serverless');

  test('are these entries and no others', () => {
    const entries = serviceFunctions(template).map((resource) => resource.template.Metadata?.['flagwire:entry']);
    expect(entries.sort()).toEqual(environments.map(([entry]) => entry).sort());
  });

  test.each(environments)('%s runs on Node 24, arm64, with the environment it is promised', (entry, environment) => {
    const { properties } = functionWithEntry(template, entry);
    expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
    const { Variables = {} } = (properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    const rendered = Object.entries(Variables).map(([name, value]) => [name, textOf(value)]);
    expect(Object.fromEntries(rendered)).toEqual({ STAGE: 'Flagwire-dev', ...environment });
  });

  test.each(environments)(
    '%s ends before API Gateway or the queue gives up on it, and shares no concurrency',
    (entry) => {
      const { properties } = functionWithEntry(template, entry);
      expect(properties['Timeout']).toBeLessThanOrEqual(/(publish|deliver|revoke|heal)\.ts$/.test(entry) ? 60 : 28);
      expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
    },
  );

  test.each(environments)('%s logs objects, and of the platform only what went wrong', (entry) => {
    expect(functionWithEntry(template, entry).properties['LoggingConfig']).toMatchObject({
      LogFormat: 'JSON',
      SystemLogLevel: 'WARN',
    });
  });

  test.each(['functions/lambda/sync.ts', 'functions/lambda/heal.ts', 'functions/lambda/http.ts'])(
    '%s, which evaluates, has 512 MB',
    (entry) => {
      expect(functionWithEntry(template, entry).properties['MemorySize']).toBe(512);
    },
  );
});

describe('the serverless stack', () => {
  test.each([
    ['dev', 'Delete'],
    ['prod', 'RetainExceptOnCreate'],
  ] as const)('in stage %s logs for 30 days; deletion policy %s', (stage, policy) => {
    for (const { properties, template } of resourcesOf(templateOf('Serverless', stage), 'AWS::Logs::LogGroup')) {
      expect(properties).toMatchObject({ RetentionInDays: 30 });
      expect(template.DeletionPolicy).toBe(policy);
    }
  });

  test.each(['dev', 'prod'] as const)(
    'in stage %s gives every function, also those of CDK, a log group of its own',
    (stage) => {
      const template = templateOf('Serverless', stage);
      const groups = resourcesOf(template, 'AWS::Lambda::Function').map(({ properties }) => {
        const { LogGroup } = (properties['LoggingConfig'] ?? {}) as { LogGroup?: { Ref: string } };
        return LogGroup?.Ref ?? '';
      });
      for (const group of groups) expect(template.Resources[group]?.Type).toBe('AWS::Logs::LogGroup');
      expect(new Set(groups).size).toBe(stage === 'dev' ? environments.length + 1 : environments.length);
    },
  );

  test('puts out the URLs in the form SDKs take: no stage path, no slash at the end', () => {
    const { Outputs = {} } = templateOf('Serverless');
    const host = 'execute-api.{AWS::Region}.{AWS::URLSuffix}';
    expect(textOf(Outputs['StreamingUri']?.Value)).toBe(`wss://{StreamingApi}.${host}`);
    expect(textOf(Outputs['PollingUri']?.Value)).toBe(`https://{PollingApi}.${host}`);
    expect(textOf(Outputs['EventsUri']?.Value)).toBe(`https://{PollingApi}.${host}`);
  });

  test.each([
    'AWS::ApiGatewayV2::Api',
    'AWS::ApiGatewayV2::Stage',
    'AWS::CloudFront::Distribution',
    'AWS::CloudWatch::Alarm',
    'AWS::CloudWatch::Dashboard',
    'AWS::IAM::Role',
    'AWS::KinesisFirehose::DeliveryStream',
    'AWS::Events::Rule',
    'AWS::Lambda::EventSourceMapping',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
  ])('tags every %s', (type) => {
    const tags = { 'cost-center': '42', app: 'flagwire', stage: 'prod' };
    const resources = resourcesOf(templateWith('Serverless', taggedContext), type);
    expect(resources).not.toEqual([]);
    for (const { properties } of resources) expect(tagsOf(properties['Tags'])).toMatchObject(tags);
  });

  test('throttles both APIs as configured', () => {
    const template = templateWith('Serverless', { throttlingRate: 70, throttlingBurst: 35 });
    const stages = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');
    expect(stages.map(({ properties }) => properties['DefaultRouteSettings'])).toEqual([
      { ThrottlingRateLimit: 70, ThrottlingBurstLimit: 35 },
      { ThrottlingRateLimit: 21, ThrottlingBurstLimit: 11 },
    ]);
    expect(stages[0]?.properties['RouteSettings']).toMatchObject({
      ping: { ThrottlingRateLimit: 42, ThrottlingBurstLimit: 21 },
      $default: { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
    });
  });
});

/** API Gateway takes tags as an object, everyone else as a list. */
function tagsOf(tags: unknown): unknown {
  return Array.isArray(tags) ? Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])) : tags;
}
