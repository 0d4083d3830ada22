import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import { ConfigError } from './configError.ts';
import { contextKeys } from './contextKeys.ts';

const GUID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
const domain = { 'flagwire:domainName': 'flags.example.com', 'flagwire:certificateArn': certificateArn };

describe('readConfig', () => {
  test('without context it is a dev deployment that names no account and no region', () => {
    expect(readConfig()).toEqual({
      stage: 'dev',
      env: {},
      tags: {},
      throttlingRate: 10_000,
      throttlingBurst: 5_000,
      missingAttribute: 'empty',
      pongs: true,
      connectConcurrency: {},
      syncConcurrency: {},
      deliverConcurrency: 4,
      deliveryRate: 4_000,
      flagsTable: { tableClass: 'standard' },
      connectionsTable: { tableClass: 'standard' },
      logRetentionDays: 30,
      accessLogRetentionDays: 30,
      streamingAccessLogs: 'off',
      streamingExecutionLogs: false,
      insightRetentionDays: 365,
      tracing: false,
      alarms: true,
      lean: true,
    });
  });

  test('reads strings, as the command line gives them', () => {
    const config = readConfig({
      stage: 'prod',
      'flagwire:account': '123456789012',
      'flagwire:region': 'eu-central-1',
      'flagwire:tags': 'team=web,cost-center=42',
      'flagwire:throttlingRate': '250',
      'flagwire:connectReservedConcurrency': '20',
      'flagwire:syncReservedConcurrency': '50',
      'flagwire:syncProvisionedConcurrency': '5',
      'flagwire:flagsTableClass': 'infrequent-access',
      'flagwire:connectionsWarmWrites': '20000',
      'flagwire:logRetentionDays': '90',
      'flagwire:tracing': 'true',
      'flagwire:alarmEmail': 'ops@example.com',
      ...domain,
      'flagwire:hostedZoneId': 'Z0123456789ABC',
    });
    expect(config).toMatchObject({
      stage: 'prod',
      env: { account: '123456789012', region: 'eu-central-1' },
      tags: { team: 'web', 'cost-center': '42' },
      throttlingRate: 250,
      deliveryRate: 100,
      connectConcurrency: { reserved: 20 },
      syncConcurrency: { reserved: 50, provisioned: 5 },
      flagsTable: { tableClass: 'infrequent-access' },
      connectionsTable: { warmWrites: 20_000 },
      logRetentionDays: 90,
      streamingAccessLogs: 'create-role',
      tracing: true,
      alarmEmail: 'ops@example.com',
      domain: { name: 'flags.example.com', certificateArn, hostedZoneId: 'Z0123456789ABC' },
    });
  });

  test('reads numbers, booleans and objects, as cdk.json has them', () => {
    const context = { 'flagwire:account': 123456789012, 'flagwire:tracing': true, 'flagwire:tags': { team: 'web' } };
    expect(readConfig(context)).toMatchObject({
      env: { account: '123456789012' },
      tracing: true,
      tags: { team: 'web' },
    });
  });

  test.each([
    ['eu-west-1', 10_000, 5_000],
    ['eu-south-2', 2_500, 1_250],
  ])("in %s lets through what the region's quota is by default, or what is chosen", (region, rate, burst) => {
    const context = { 'flagwire:region': region };
    expect(readConfig(context)).toMatchObject({ throttlingRate: rate, throttlingBurst: burst });
    expect(readConfig({ ...context, 'flagwire:throttlingRate': 70 })).toMatchObject({
      throttlingRate: 70,
      throttlingBurst: burst,
    });
  });

  test('is lean in dev, and where it is told to be', () => {
    expect(readConfig({ 'flagwire:lean': 'false' }).lean).toBe(false);
    expect(readConfig({ stage: 'prod' }).lean).toBe(false);
    expect(readConfig({ stage: 'prod', 'flagwire:lean': 'true' }).lean).toBe(true);
  });

  test('is frozen', () => {
    const config = readConfig();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.env)).toBe(true);
  });

  test('leaves the keys of others alone', () => {
    expect(readConfig({ '@aws-cdk/core:anything': true, 'aws:cdk:bundling-stacks': [] })).toEqual(readConfig());
  });

  test.each([
    ['flagwire:throtlingRate', 'flagwire:throttlingRate'],
    ['Flagwire:region', 'flagwire:region'],
    ['stag', 'stage'],
    ['tracing', 'flagwire:tracing'],
  ])('refuses the unknown key %s in one line that suggests %s', (key, suggestion) => {
    const attempt = () => readConfig({ [key]: '1' });
    expect(attempt).toThrow(ConfigError);
    expect(messageOf(attempt)).toBe(
      `Unknown context key ${key}: did you mean ${suggestion}? All keys are described in infra/config/contextKeys.ts.`,
    );
  });

  test.each([
    ['stage', 'staging'],
    ['flagwire:account', '1234'],
    ['flagwire:region', 'Frankfurt'],
    ['flagwire:tags', 'team'],
    ['flagwire:tags', 'stage=x'],
    ['flagwire:tags', 'aws:team=x'],
    ['flagwire:throttlingRate', '0'],
    ['flagwire:throttlingBurst', 'many'],
    ['flagwire:missingAttribute', 'null'],
    ['flagwire:pongs', 'some'],
    ['flagwire:syncReservedConcurrency', '-1'],
    ['flagwire:deliverConcurrency', '1'],
    ['flagwire:deliveryRate', '0'],
    ['flagwire:flagsWarmReads', '100'],
    ['flagwire:connectionsTableClass', 'cheap'],
    ['flagwire:logRetentionDays', '31'],
    ['flagwire:accessLogRetentionDays', '0'],
    ['flagwire:streamingAccessLogs', 'on'],
    ['flagwire:streamingExecutionLogs', 'error'],
    ['flagwire:insightRetentionDays', '0'],
    ['flagwire:machineImage', 'latest'],
    ['flagwire:tracing', 'yes'],
    ['flagwire:alarms', 'no'],
    ['flagwire:lean', 'no'],
    ['flagwire:alarmEmail', 'ops'],
    ['flagwire:editorEnvironments', 'shop'],
    ['flagwire:editorEnvironments', `${GUID},${GUID.toUpperCase()}`],
    ['flagwire:domainName', 'https://flags.example.com'],
    ['flagwire:certificateArn', 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b'],
    ['flagwire:hostedZoneId', 'example.com'],
  ])('refuses %s=%s in one line that names both', (key, value) => {
    const attempt = () => readConfig({ [key]: value });
    expect(attempt).toThrow(ConfigError);
    expect(messageOf(attempt)).toContain(`Context ${key}=${value} cannot be used: `);
    expect(messageOf(attempt)).toMatch(/^[^\n]+\.$/);
  });

  test('gives deliveries two fifths of what the API lets through, and to each call what it takes to end in time', () => {
    expect(readConfig({ 'flagwire:throttlingRate': 20_000 }).deliveryRate).toBe(8_000);
    expect(readConfig({ 'flagwire:throttlingRate': 70 }).deliveryRate).toBe(40);
    expect(readConfig({ 'flagwire:deliveryRate': 6_000 }).deliveryRate).toBe(6_000);
    expect(() => readConfig({ 'flagwire:deliveryRate': 39 })).toThrow(
      'Context flagwire:deliveryRate=39 cannot be used: 4 deliveries at once (flagwire:deliverConcurrency) take 40 messages a second at least.',
    );
  });

  test('refuses a value that is no text in one line, too', () => {
    const attempt = () => readConfig({ 'flagwire:tags': { 'a,b': 'x' } });
    expect(messageOf(attempt)).toContain('Context flagwire:tags={"a,b":"x"} cannot be used: ');
  });

  test.each([
    [{ 'flagwire:domainName': 'flags.example.com' }, 'flagwire:domainName', 'flagwire:certificateArn'],
    [{ 'flagwire:certificateArn': certificateArn }, 'flagwire:certificateArn', 'flagwire:domainName'],
    [{ 'flagwire:hostedZoneId': 'Z0123456789ABC' }, 'flagwire:hostedZoneId', 'flagwire:domainName'],
  ])('refuses half a domain: %j', (context, half, missing) => {
    expect(() => readConfig(context)).toThrow(`Context ${half} cannot be used alone: a domain also takes ${missing}.`);
  });

  test('refuses editors where there are no policies', () => {
    expect(() => readConfig({ 'flagwire:editorEnvironments': GUID })).toThrow('flagwire:operatorPolicies is false');
  });

  test('refuses to mail alarms that there are none of', () => {
    const context = { 'flagwire:alarms': 'false', 'flagwire:alarmEmail': 'ops@example.com' };
    expect(() => readConfig(context)).toThrow('Context flagwire:alarmEmail cannot be used: flagwire:alarms is false.');
  });

  test('refuses to provision more instances than are reserved', () => {
    const context = { 'flagwire:syncReservedConcurrency': 5, 'flagwire:syncProvisionedConcurrency': 6 };
    expect(() => readConfig(context)).toThrow(
      'Context flagwire:syncProvisionedConcurrency=6 cannot be used: only 5 instances are reserved.',
    );
  });
});

test('every context key is described', () => {
  for (const [key, schema] of Object.entries(contextKeys))
    expect([key, schema.description]).toEqual([key, expect.stringMatching(/.{20}/)]);
});

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}
