const { App, RemovalPolicy, Stack } = require('aws-cdk-lib');
const { Certificate } = require('aws-cdk-lib/aws-certificatemanager');
const { Vpc } = require('aws-cdk-lib/aws-ec2');
const { AccountRootPrincipal, Role } = require('aws-cdk-lib/aws-iam');
// biome-ignore lint/suspicious/noShadowRestrictedNames: CDK's name.
const { Code, Function, Runtime } = require('aws-cdk-lib/aws-lambda');
const { Topic } = require('aws-cdk-lib/aws-sns');
const { Flagwire, FlagwireHost, FlagwireTables } = require('flagwire-cdk');

/* An app with all constructs of flagwire-cdk and all their settings: cdk.suite.ts synthesizes it with several versions of CDK. */

const app = new App();
const env = { region: 'eu-west-1' };
const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/abc';

const serverless = new Stack(app, 'Serverless', { env });
const flags = new Flagwire(serverless, 'Flags', {
  name: 'flags',
  alarmTopic: new Topic(serverless, 'Topic'),
  removalPolicy: RemovalPolicy.RETAIN,
  throttlingRate: 1_000,
  throttlingBurst: 500,
  missingAttribute: 'no-match',
  connectConcurrency: { reserved: 10, provisioned: 2 },
  syncConcurrency: { reserved: 10 },
  deliverConcurrency: 6,
  flagsTable: { tableClass: 'infrequent-access', warmReads: 15_000, warmWrites: 5_000 },
  connectionsTable: { warmReads: 15_000, warmWrites: 5_000 },
  usageWritesPerSecond: 50,
  pongs: true,
  console: {
    signIn: {
      issuer: 'https://id.example.com',
      clientId: 'console',
      viewers: ['readers'],
      editors: { production: ['web'] },
      administrators: ['admins'],
    },
  },
  environments: ['production', 'staging'],
  operatorPolicies: true,
  eventBus: 'flags',
  logRetentionDays: 7,
  accessLogRetentionDays: 7,
  streamingAccessLogs: 'create-role',
  streamingExecutionLogs: true,
  insightRetentionDays: 30,
  tracing: true,
  alarms: true,
  lean: false,
  monthlyBudget: 100,
  alarmEmail: 'ops@example.com',
  kmsKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef',
  domain: {
    name: 'flags.example.com',
    certificateArn: certificateArn.replace('eu-west-1', 'us-east-1'),
    hostedZoneId: 'Z0123456789ABCDEFGHIJ',
    webAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/b',
  },
});
flags.grantRead(new Role(serverless, 'Reader', { assumedBy: new AccountRootPrincipal() }), 'production');
flags.grantEdit(new Role(serverless, 'Editor', { assumedBy: new AccountRootPrincipal() }), 'staging');
const code = { code: Code.fromInline('//'), handler: 'index.handler', runtime: Runtime.NODEJS_22_X };
flags.addTo(new Function(serverless, 'Counted', code), 'production', { usage: true });
flags.addTo(new Function(serverless, 'Uncounted', code), 'staging');
flags.metricConnections().createAlarm(serverless, 'Busy', { threshold: 1_000, evaluationPeriods: 1 });
flags.metricSyncLatency().createAlarm(serverless, 'Slow', { threshold: 500, evaluationPeriods: 3 });

const regional = new Stack(app, 'Regional');
const regionalDomain = { streamingName: 's.example.com', httpName: 'h.example.com', certificateArn };
const tables = new FlagwireTables(regional, 'Tables', { removalPolicy: RemovalPolicy.DESTROY });
// A setting that is undefined has its default.
new Flagwire(regional, 'Flags', { tables, removalPolicy: RemovalPolicy.DESTROY, regionalDomain, lean: undefined });

const hosts = new Stack(app, 'Hosts', { env });
const vpc = new Vpc(hosts, 'Vpc');
const certificate = Certificate.fromCertificateArn(hosts, 'Certificate', certificateArn);
const domainName = 'host.example.com';
new FlagwireHost(hosts, 'Fargate', { flags, vpc, certificate, domainName, fargate: { spotPercent: 50 } });
new FlagwireHost(hosts, 'Machine', { flags, ec2: { loadGenerator: true } });
new FlagwireHost(hosts, 'Public', {
  flags,
  ec2: { network: 'public', allowInsecure: true, availabilityZone: 'eu-west-1b' },
});

const door = new Stack(app, 'Door', { env });
const behind = new Flagwire(door, 'Flags', {
  frontDoor: {
    domainName: 'flags.example.com',
    certificateArn: certificateArn.replace('eu-west-1', 'us-east-1'),
    secrets: ['door'],
    only: true,
  },
});
new FlagwireHost(door, 'Host', { flags: behind, ec2: {} });

const existing = Flagwire.fromAttributes(hosts, 'Existing', {
  flagsTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/flags',
  streamingUrl: 'wss://flags.example.com',
  httpUrl: 'https://flags.example.com',
  name: 'Flagwire-prod',
  environments: { production: '01234567-89ab-cdef-0123-456789abcdef' },
  insightStream: 'insights',
});
existing.grantRead(new Role(hosts, 'Reader', { assumedBy: new AccountRootPrincipal() }), 'production');
const table = Flagwire.fromTable(hosts, 'Table', {
  flagsTableArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/flags',
  usageTableArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/usage',
  kmsKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef',
  missingAttribute: 'no-match',
});
table.addTo(new Function(hosts, 'OfTable', code), '01234567-89ab-cdef-0123-456789abcdef', { usage: true });
new FlagwireHost(hosts, 'OfExisting', { flags: existing, fargate: { balancer: 'internal' } });
