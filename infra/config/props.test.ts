import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { repositoryRoot } from '../repository.ts';
import { newStack } from '../testing/testStack.ts';
import { readConfig } from './config.ts';
import { APP_SETTINGS, configOf, hostOf, propsOf, type ServiceProps } from './props.ts';
import { type Settings, settingsSchema } from './settingsSchema.ts';

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/abc';

const domains = {
  domain: { name: 'flags.example.com', certificateArn: certificateArn.replace('eu-west-1', 'us-east-1') },
  regionalDomain: { streamingName: 's.example.com', httpName: 'h.example.com', certificateArn },
  frontDoor: { domainName: 'door.example.com', certificateArn: certificateArn.replace('eu-west-1', 'us-east-1') },
} as const satisfies Settings;

/** Every property of a service, with a value that is not its default. */
const settings: Required<Omit<ServiceProps, 'name' | 'alarmTopic' | 'removalPolicy' | keyof typeof domains>> = {
  throttlingRate: 1_000,
  throttlingBurst: 500,
  missingAttribute: 'no-match',
  connectConcurrency: { reserved: 3 },
  syncConcurrency: { provisioned: 2 },
  deliverConcurrency: 7,
  flagsTable: { tableClass: 'infrequent-access', warmReads: 15_000 },
  connectionsTable: { tableClass: 'standard', warmWrites: 5_000 },
  usageWritesPerSecond: 'off',
  pongs: false,
  environments: ['production'],
  operatorPolicies: { editorEnvironments: [] },
  console: { signIn: { issuer: 'https://id.example.com', clientId: 'console', viewers: ['readers'] } },
  eventBus: 'flags',
  logRetentionDays: 7,
  accessLogRetentionDays: 14,
  streamingAccessLogs: 'create-role',
  streamingExecutionLogs: true,
  insightRetentionDays: 30,
  tracing: true,
  alarms: true,
  lean: true,
  monthlyBudget: 100,
  alarmEmail: 'ops@example.com',
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef',
};

describe('settings of a stage and properties of the construct', () => {
  test('are the same, except settings of an app', () => {
    const names = [...Object.keys(settings), ...Object.keys(domains), ...APP_SETTINGS];
    expect(names.sort()).toEqual(Object.keys(settingsSchema.shape).sort());
  });

  test('are all on the page docs/cdk.md', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/cdk.md'), 'utf8');
    expect(Object.keys(settingsSchema.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test.each(['domain', 'regionalDomain', 'frontDoor'] as const)(
    'have the same values there and back, with %s',
    (domain) => {
      const given = { ...settings, [domain]: domains[domain] };
      const props = propsOf(newStack(), readConfig({ ...given, host: true, stage: 'prod' }));
      expect(props).toMatchObject({ ...given, name: 'Flagwire-prod', removalPolicy: RemovalPolicy.RETAIN });
      expect(configOf(newStack(), props)).toMatchObject({ ...given, deployment: 'Flagwire-prod', retainData: true });
    },
  );
});

describe('the configuration of a construct', () => {
  test('has defaults that need no account settings, for undefined too', () => {
    const expected = { lean: false, streamingAccessLogs: 'off', retainData: true, throttlingRate: 10_000 };
    expect(configOf(newStack(), {})).toMatchObject({ ...expected, deployment: 'App-App' });
    expect(configOf(newStack(), { lean: undefined } as never)).toMatchObject(expected);
  });

  test('refuses a setting of a stage', () => {
    expect(() => configOf(newStack(), { host: true } as never)).toThrow('host is a setting of a stage');
  });

  test('is not for names of APIs that API Gateway refuses', () => {
    const nameOf = (length: number) => configOf(newStack('S'.repeat(length)), {}).deployment;
    expect(nameOf(58)).toHaveLength(117);
    expect(() => nameOf(59)).toThrow('which has 119 characters: set the property name to at most 118.');
    expect(() => configOf(newStack(), { name: 'n'.repeat(119) })).toThrow('has 119 characters');
    expect(configOf(newStack('S'.repeat(128)), { name: 'short' }).deployment).toBe('short');
  });

  test('is not for another region than that of the stack', () => {
    const kmsKeyArn = settings.kmsKeyArn;
    expect(() => configOf(newStack('App', 'us-west-2'), { kmsKeyArn })).toThrow('the region is us-west-2');
  });
});

describe('hosts', () => {
  test('run on Fargate without settings, with the certificate given', () => {
    const stack = newStack();
    const certificate = Certificate.fromCertificateArn(stack, 'Certificate', certificateArn);
    const { host, fargate } = hostOf(stack, { certificate, domainName: 'host.example.com' });
    expect(host).toBeUndefined();
    expect(fargate).toMatchObject({ count: 2, tls: { certificateArn, domainName: 'host.example.com' } });
  });

  test.each([
    [{ ec2: {}, fargate: {} }, 'ec2 and fargate cannot be used together'],
    [{ domainName: 'host.example.com' }, 'certificate and domainName cannot be used without each other'],
    [{}, 'fargate cannot be used without TLS'],
    [{ ec2: { network: 'public' } }, 'Set ec2.tls, or ec2.allowInsecure=true'],
    [{ ec2: { count: 2 } as object }, 'ec2.count cannot be used: host is one machine, in ec2.availabilityZone.'],
  ] as const)('with %j are refused', (props, message) => {
    expect(() => hostOf(newStack(), props)).toThrow(message);
  });
});
