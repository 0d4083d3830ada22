import { type Config, readConfig } from '../../../infra/config/config.ts';
import type { Settings } from '../../../infra/config/settingsSchema.ts';

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;

const ofDomain = {
  hostedZoneId: 'Z1QWERTYUIOPLK',
  webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flags/0a1b2c3d-4e5f-6789-abcd-ef0123456789',
};

const everything: Settings = {
  tags: { team: 'web' },
  connectConcurrency: { reserved: 50, provisioned: 2 },
  syncConcurrency: { reserved: 100, provisioned: 5 },
  flagsTable: { tableClass: 'infrequent-access', warmReads: 20_000 },
  connectionsTable: { warmWrites: 8_000 },
  streamingAccessLogs: 'create-role',
  streamingExecutionLogs: true,
  tracing: true,
  environments: ['production'],
  operatorPolicies: {
    editorEnvironments: ['226b9bf8-4af3-4ffa-9b01-162270e4cd40', '226b9bf8-4af3-4ffa-9b01-162270e4cd41'],
  },
  alarmEmail: 'ops@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call',
  permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/boundary',
  monthlyBudget: 50,
  domain: {
    name: 'flags.example.com',
    certificateArn: certificate('us-east-1'),
    ...ofDomain,
  },
};

const regionalDomain = {
  streamingName: 'streaming.example.com',
  httpName: 'flags.example.com',
  certificateArn: certificate('eu-west-1'),
};

const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';

/** The configurations whose templates are checked: each stage, with defaults and with all settings. */
export const variants: Readonly<Record<string, Config>> = {
  dev: readConfig({ stage: 'dev' }),
  prod: readConfig({ stage: 'prod' }),
  'dev with everything': readConfig({
    stage: 'dev',
    ...everything,
    flagsTable: {
      existingStreamArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/flags-restored/stream/2026-11-24T10:00:00.000',
    },
  }),
  'prod with everything': readConfig({ stage: 'prod', ...everything }),
  'dev with a host and a load generator': readConfig({ stage: 'dev', host: { loadGenerator: true } }),
  'prod with a private host on another machine': readConfig({
    stage: 'prod',
    host: {
      instanceType: 't4g.micro',
      credits: 'unlimited',
      metricsSeconds: 1,
      allowedCidrs: ['10.8.0.0/16', '10.9.0.0/16'],
      loadGenerator: true,
    },
  }),
  'prod with a public host behind CloudFront': readConfig({
    stage: 'prod',
    host: {
      network: 'public',
      tls: { domainName: 'hosts.example.com', certificateArn: certificate('us-east-1'), ...ofDomain },
    },
  }),
  'prod with a front door, which alone leads in': readConfig({
    stage: 'prod',
    host: { loadGenerator: true },
    frontDoor: {
      domainName: 'flags.example.com',
      certificateArn: certificate('us-east-1'),
      ...ofDomain,
      secrets: ['flagwire/door/2', 'flagwire/door/1'],
      only: true,
    },
  }),
  'dev with a public host without TLS': readConfig({ host: { network: 'public' } }),
  'prod with Fargate': readConfig({ stage: 'prod', fargate: { allowInsecure: true } }),
  'dev with Fargate inside a network that is there, with TLS and Spot': readConfig({
    stage: 'dev',
    alarmEmail: 'ops@example.com',
    fargate: {
      vcpu: 0.25,
      spotPercent: 70,
      balancer: 'internal',
      allowedCidrs: ['10.0.0.0/8'],
      network: {
        vpcId: 'vpc-0123456789abcdef0',
        publicSubnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
        privateSubnetIds: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3', 'subnet-0123456789abcdef4'],
      },
      tls: {
        domainName: 'hosts.example.com',
        certificateArn: certificate('eu-west-1'),
      },
    },
  }),
  'prod with names of API Gateway, and a key of the customer': readConfig({
    stage: 'prod',
    streamingAccessLogs: 'create-role',
    streamingExecutionLogs: true,
    alarmEmail: 'ops@example.com',
    operatorPolicies: true,
    kmsKeyArn,
    regionalDomain: { ...regionalDomain, hostedZoneId: 'Z1QWERTYUIOPLK' },
    host: true,
    fargate: { allowInsecure: true },
  }),
  'dev with names of API Gateway without a zone, and a key of the customer': readConfig({
    stage: 'dev',
    kmsKeyArn,
    regionalDomain,
  }),
  'prod, pinned to a region': readConfig({
    stage: 'prod',
    account: '123456789012',
    region: 'us-east-1',
    streamingAccessLogs: 'existing-role',
  }),
};
