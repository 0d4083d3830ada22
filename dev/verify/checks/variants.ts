import { type Config, readConfig } from '../../../infra/config/config.ts';
import type { Settings } from '../../../infra/config/settingsSchema.ts';

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;

const everything: Settings = {
  tags: { team: 'web' },
  connectConcurrency: { reserved: 50, provisioned: 2 },
  syncConcurrency: { reserved: 100, provisioned: 5 },
  flagsTable: { tableClass: 'infrequent-access', warmReads: 20_000 },
  connectionsTable: { warmWrites: 8_000 },
  streamingAccessLogs: 'create-role',
  tracing: true,
  operatorPolicies: {
    editorEnvironments: ['226b9bf8-4af3-4ffa-9b01-162270e4cd40', '226b9bf8-4af3-4ffa-9b01-162270e4cd41'],
  },
  alarmEmail: 'ops@example.com',
  monthlyBudget: 50,
  domain: {
    name: 'flags.example.com',
    certificateArn: certificate('us-east-1'),
    hostedZoneId: 'Z1QWERTYUIOPLK',
  },
};

/** The configurations whose templates are held to the field's checkers: every stage, bare and with every switch on. */
export const variants: Readonly<Record<string, Config>> = {
  dev: readConfig({ stage: 'dev' }),
  prod: readConfig({ stage: 'prod' }),
  'dev with everything': readConfig({ stage: 'dev', ...everything }),
  'prod with everything': readConfig({ stage: 'prod', ...everything }),
  'dev with a host and a load generator': readConfig({ stage: 'dev', host: { loadGenerator: true } }),
  'prod with a host on another machine': readConfig({
    stage: 'prod',
    host: { instanceType: 't4g.micro', credits: 'unlimited', metricsSeconds: 1 },
  }),
  'prod with a public host behind CloudFront': readConfig({
    stage: 'prod',
    host: { network: 'public', tls: { domainName: 'hosts.example.com', certificateArn: certificate('us-east-1') } },
  }),
  'prod with three hosts on Spot, with TLS': readConfig({
    stage: 'prod',
    host: {
      count: 3,
      spot: true,
      network: 'public',
      tls: { domainName: 'hosts.example.com', certificateArn: certificate('eu-west-1') },
    },
  }),
  'dev with a public host without TLS': readConfig({ host: { network: 'public' } }),
  'prod with Fargate': readConfig({ stage: 'prod', fargate: { allowInsecure: true } }),
  'dev with Fargate in a network that is there, with TLS and Spot': readConfig({
    stage: 'dev',
    alarmEmail: 'ops@example.com',
    fargate: {
      vcpu: 0.25,
      spotPercent: 70,
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
  'prod, pinned to a region': readConfig({
    stage: 'prod',
    account: '123456789012',
    region: 'us-east-1',
    streamingAccessLogs: 'existing-role',
  }),
};
