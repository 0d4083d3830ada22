import { type Config, readConfig } from '../../../infra/config/config.ts';

const everything = {
  'flagwire:tags': 'team=web',
  'flagwire:connectReservedConcurrency': 50,
  'flagwire:connectProvisionedConcurrency': 2,
  'flagwire:syncReservedConcurrency': 100,
  'flagwire:syncProvisionedConcurrency': 5,
  'flagwire:flagsTableClass': 'infrequent-access',
  'flagwire:flagsWarmReads': 20_000,
  'flagwire:connectionsWarmWrites': 8_000,
  'flagwire:streamingAccessLogs': 'create-role',
  'flagwire:tracing': true,
  'flagwire:operatorPolicies': true,
  'flagwire:editorEnvironments': '226b9bf8-4af3-4ffa-9b01-162270e4cd40,226b9bf8-4af3-4ffa-9b01-162270e4cd41',
  'flagwire:alarmEmail': 'ops@example.com',
  'flagwire:monthlyBudget': 50,
  'flagwire:domainName': 'flags.example.com',
  'flagwire:certificateArn': 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  'flagwire:hostedZoneId': 'Z1QWERTYUIOPLK',
};

/** The configurations whose templates are held to the field's checkers: every stage, bare and with every switch on. */
export const variants: Readonly<Record<string, Config>> = {
  dev: readConfig({ stage: 'dev' }),
  prod: readConfig({ stage: 'prod' }),
  'dev with everything': readConfig({ stage: 'dev', ...everything }),
  'prod with everything': readConfig({ stage: 'prod', ...everything }),
  'dev with the comparison': readConfig({ stage: 'dev', 'flagwire:comparison': true, 'flagwire:loadGenerator': true }),
  'prod with the comparison on another machine': readConfig({
    stage: 'prod',
    'flagwire:comparison': true,
    'flagwire:hostInstanceType': 't4g.micro',
    'flagwire:hostCredits': 'unlimited',
    'flagwire:hostMetricsSeconds': 1,
  }),
  'prod with Fargate': readConfig({ stage: 'prod', 'flagwire:fargate': true }),
  'dev with Fargate in a network that is there, with TLS and Spot': readConfig({
    stage: 'dev',
    'flagwire:fargate': true,
    'flagwire:alarmEmail': 'ops@example.com',
    'flagwire:taskVcpu': 0.25,
    'flagwire:taskSpotPercent': 70,
    'flagwire:vpcId': 'vpc-0123456789abcdef0',
    'flagwire:publicSubnetIds': 'subnet-0123456789abcdef0,subnet-0123456789abcdef1',
    'flagwire:privateSubnetIds': 'subnet-0123456789abcdef2,subnet-0123456789abcdef3,subnet-0123456789abcdef4',
    'flagwire:balancerDomainName': 'hosts.example.com',
    'flagwire:balancerCertificateArn':
      'arn:aws:acm:eu-west-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
  }),
  'prod, pinned to a region': readConfig({
    stage: 'prod',
    'flagwire:account': '123456789012',
    'flagwire:region': 'us-east-1',
    'flagwire:streamingAccessLogs': 'existing-role',
  }),
};
