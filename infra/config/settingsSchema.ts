import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { isGuid } from '../../shared/protocol/guid.ts';
import { fargateSchema } from './fargate.ts';
import { frontDoorSchema } from './frontDoor.ts';
import { hostSchema } from './host.ts';
import { MOST_DELIVERIES } from './postRates.ts';
import { regionalDomainSchema } from './regionalDomain.ts';
import { consoleSchema } from './signIn.ts';
import { tagsSchema } from './tags.ts';
import {
  cloudFrontCertificateArn,
  count,
  domainName,
  onOff,
  orToken,
  recordsZoneId,
  section,
  textOf,
  webAclArn,
} from './values.ts';

const retention = z
  .number()
  .refine(
    (days) => days in RetentionDays,
    'not a retention that CloudWatch Logs offers (1, 3, 5, 7, 14, 30, 60, 90 …)',
  );

/** The qualifier of `cdk bootstrap`: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-customizing.html */
export const DEFAULT_QUALIFIER = 'hnb659fds';

const concurrencySchema = z.strictObject({
  reserved: count
    .exactOptional()
    .describe('reserved concurrency: Lambda keeps this many instances for the function and runs no more'),
  provisioned: count.exactOptional().describe('provisioned concurrency: instances kept warm, billed by the hour'),
});

const tableSchema = z.strictObject({
  tableClass: z.enum(['standard', 'infrequent-access']).default('standard').describe('table class'),
  warmReads: count
    .min(12_000)
    .exactOptional()
    .describe('warm throughput: read units a second that the table serves from the start (a new table: 12,000)'),
  warmWrites: count
    .min(4_000)
    .exactOptional()
    .describe(
      'warm throughput: write units a second that the table serves from the start (a new table: 4,000); it cannot be lowered',
    ),
});

const flagsTableSchema = tableSchema.extend({
  existingStreamArn: textOf(
    /^arn:aws[\w-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w.:-]+$/,
    'the ARN of a stream looks like arn:aws:dynamodb:eu-west-1:123456789012:table/flags/stream/2026-11-24T10:00:00.000',
  )
    .exactOptional()
    .describe(
      "the stream of an existing table, such as a restored one; the deployment uses that table, and the stack's own table stays unused (docs/operations/restore.md)",
    ),
});

const domainSchema = z.strictObject({
  name: domainName.describe('domain name for SDKs'),
  certificateArn: cloudFrontCertificateArn.describe('ACM certificate for the domain name, in us-east-1'),
  hostedZoneId: recordsZoneId,
  webAclArn: webAclArn
    .exactOptional()
    .describe('AWS WAF web ACL for the domain; it does not protect API Gateway’s own addresses'),
});

const operatorSchema = z.strictObject({
  editorEnvironments: z
    .array(z.string().toLowerCase().refine(isGuid, 'the id of an environment is a GUID; `env list` shows it'))
    .refine((ids) => new Set(ids).size === ids.length, 'an environment is named twice')
    .default([])
    .describe('ids of environments; each gets an editor policy'),
});

/**
 * Every setting of a deployment: accepted values, default, and meaning (its description). A setting whose default depends on
 * others is optional here; `config.ts` fills it in.
 */
export const settingsSchema = z.strictObject({
  stage: textOf(
    /^[a-z][a-z0-9-]{0,19}$/,
    'a stage is 1 to 20 lower-case letters, digits and dashes, and begins with a letter',
  )
    .default('dev')
    .describe('name of the deployment; dev is lean and is deleted with its data, every other stage keeps its data'),
  name: textOf(/^[A-Za-z][A-Za-z0-9]{0,29}$/, 'a name is 1 to 30 letters and digits, and begins with a letter')
    .default('Flagwire')
    .describe(
      'prefix for the names of stacks, alarms and dashboards; choose another one for each deployment in an account',
    ),
  retainData: onOff
    .exactOptional()
    .describe(
      'keeps tables, bucket and logs when their stack is deleted, and protects tables against deletion; the default except in dev',
    ),
  terminationProtection: onOff
    .exactOptional()
    .describe('CloudFormation refuses to delete the stacks; the default except in dev'),
  account: textOf(/^\d{12}$/, 'an AWS account is 12 digits, in quotation marks')
    .exactOptional()
    .describe('AWS account to deploy into; without it, the account of the credentials'),
  region: textOf(/^[a-z]{2,5}(-[a-z]+)+-\d+$/, 'an AWS region looks like eu-central-1')
    .exactOptional()
    .describe('AWS region to deploy into; without it, the region of the credentials'),
  bootstrapQualifier: textOf(/^[A-Za-z0-9_-]{1,10}$/, 'a qualifier is 1 to 10 letters, digits, dashes and underscores')
    .default(DEFAULT_QUALIFIER)
    .describe(
      'qualifier of `cdk bootstrap` in the account and region; another one than the default if you bootstrapped with --qualifier',
    ),
  tags: tagsSchema.default({}).describe('additional tags for all resources, values by name'),
  throttlingRate: count
    .exactOptional()
    .describe(
      "throttling rate of each API, in requests a second, up to the account's quota in the region. " +
        '`npm run deploy` reads that quota and uses it; if it cannot, the value is 10,000, or 2,500 in a small region',
    ),
  throttlingBurst: count
    .exactOptional()
    .describe('throttling burst of each API, in requests; 5,000, or 1,250 in a small region'),
  missingAttribute: z
    .enum(['empty', 'no-match'])
    .default('empty')
    .describe(
      "how conditions treat an attribute that a user lacks: as empty text (like FeatBit's server), or as no match",
    ),
  connectConcurrency: concurrencySchema.default({}).describe('concurrency of the connect function'),
  syncConcurrency: concurrencySchema.default({}).describe('concurrency of the sync function'),
  deliverConcurrency: count
    .min(2)
    .max(MOST_DELIVERIES)
    .exactOptional()
    .describe(
      "how many calls of the deliver function run at once. Each serves one of an environment's 16 shards; one environment uses " +
        'all but one call. The default is 4, and one more for each 6,250 of throttlingRate above 25,000. ' +
        'It is lower if the account has too few concurrent executions: ten leave room for four',
    ),
  flagsTable: flagsTableSchema.prefault({}).describe('the flags table'),
  connectionsTable: tableSchema.prefault({}).describe('the connections table; each data-sync writes to it once'),
  usageWritesPerSecond: z
    .union([z.literal('off'), count.max(40_000)], 'it must be off, or a whole number from 1 to 40,000')
    .default(100)
    .describe(
      'maximum writes a second for counts of evaluations (docs/insights.md), or off. A write costs $0.000000625. Counts above it are dropped',
    ),
  pongs: onOff
    .default(true)
    .describe(
      'answer pings; an answer costs as much as a ping. Without answers, FeatBit’s JavaScript SDK (from 4.2.15) and Android SDK reconnect; server SDKs do not need them',
    ),
  environments: z
    .array(textOf(/^[\w][\w .-]{0,63}$/, 'a name of 1 to 64 letters, digits, spaces, dots, dashes and underscores'))
    .refine((names) => new Set(names).size === names.length, 'an environment is named twice')
    .default([])
    .describe(
      'names of environments that the deployment creates, without SDK keys (`flags secret create` creates keys). Their ids follow from the names of the stack and the environment. ' +
        'An environment whose name you remove stays',
    ),
  operatorPolicies: section(operatorSchema).describe(
    'IAM policies for users of the console and the command line: viewer, editor, administrator (docs/console.md)',
  ),
  console: consoleSchema,
  eventBus: textOf(
    orToken(/^(?!arn:)[\w./-]{1,256}$|^arn:aws[\w-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256}$/),
    'an event bus is a name such as default, or an ARN such as arn:aws:events:eu-west-1:123456789012:event-bus/flags',
  )
    .default('default')
    .describe(
      "EventBridge bus that gets an event for each change of a flag or segment: name or ARN of a bus in the deployment's account and region, " +
        'or off (docs/events.md)',
    ),
  logRetentionDays: retention.default(30).describe('days that CloudWatch keeps the logs of functions'),
  accessLogRetentionDays: retention.default(30).describe('days that CloudWatch keeps the access logs of the APIs'),
  streamingAccessLogs: z
    .enum(['off', 'create-role', 'existing-role'])
    .exactOptional()
    .describe(
      'access logs of the WebSocket API. API Gateway uses one role for them per account and region: off (the default in dev); ' +
        'create-role sets a role for the whole account; existing-role uses the role that is set. ' +
        'Without this setting, `npm run deploy` uses create-role if the account has no role',
    ),
  streamingExecutionLogs: onOff
    .default(false)
    .describe(
      'execution logs of the WebSocket API at level ERROR: why a handshake or a message did not reach a function. ' +
        'They use the role of streamingAccessLogs, which is then on by default',
    ),
  insightRetentionDays: count
    .default(365)
    .describe('days that the bucket keeps events from SDKs (evaluations, metrics)'),
  tracing: onOff.default(false).describe('X-Ray traces of the functions'),
  alarms: onOff.default(true).describe('CloudWatch alarms; they cost money even when no client is connected'),
  lean: onOff
    .exactOptional()
    .describe(
      'stay within CloudWatch’s free tier: ten alarms and one graph of costs. The monthly budget alarm reads seven more ' +
        'metrics, which are billed. The default in dev',
    ),
  monthlyBudget: z
    .number()
    .positive()
    .exactOptional()
    .describe('US dollars a month; an alarm warns when the current rate would exceed it'),
  alarmEmail: z.email('not an e-mail address').exactOptional().describe('e-mail address for alarms'),
  alarmTopicArn: textOf(/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/, 'not the ARN of an SNS topic')
    .exactOptional()
    .describe(
      'ARN of your SNS topic for alarms; its policy must allow cloudwatch.amazonaws.com and events.amazonaws.com to publish',
    ),
  kmsKeyArn: textOf(
    orToken(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/),
    'the ARN of a key looks like arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef; an alias does not work',
  )
    .exactOptional()
    .describe(
      "your symmetric KMS key, in the deployment's account and region. It encrypts tables, queues, logs, SDK events and the topic of alarmEmail, but not disks of machines. " +
        'Without it, AWS encrypts with its own keys at no charge. The key policy must let CloudWatch use the key (docs/operations/encryption.md). ' +
        'A key costs $1 a month, and $0.03 for 10,000 requests. A disabled key stops the service',
    ),
  permissionsBoundaryArn: textOf(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/.+$/, 'not the ARN of an IAM policy')
    .exactOptional()
    .describe('permissions boundary for all roles of the deployment'),
  domain: domainSchema.exactOptional().describe('one domain for streaming, polling and events, served by CloudFront'),
  regionalDomain: regionalDomainSchema
    .exactOptional()
    .describe(
      'two domains, one for streaming and one for polling and events, served by API Gateway without CloudFront. ' +
        'API Gateway cannot map one name to a WebSocket API and an HTTP API (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html)',
    ),
  host: section(hostSchema).describe('the same service on EC2 instances, billed by the hour'),
  frontDoor: frontDoorSchema
    .exactOptional()
    .describe('one address, served by CloudFront: clients get the host, or API Gateway if it does not accept them'),
  fargate: section(fargateSchema).describe(
    'the same service as Fargate tasks behind a network load balancer, billed by the hour',
  ),
});

/** The settings of a deployment; every key is optional. */
export type Settings = z.input<typeof settingsSchema>;

/** {@link Settings} with the defaults that depend on nothing else. */
export type ValidSettings = z.output<typeof settingsSchema>;
