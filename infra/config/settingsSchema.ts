import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { isGuid } from '../../shared/protocol/guid.ts';
import { fargateSchema } from './fargate.ts';
import { hostSchema } from './host.ts';
import { MOST_DELIVERIES } from './postRates.ts';
import { regionalDomainSchema } from './regionalDomain.ts';
import { tagsSchema } from './tags.ts';
import { count, domainName, hostedZoneId, onOff, section } from './values.ts';

const retention = z
  .number()
  .refine(
    (days) => days in RetentionDays,
    'not a retention that CloudWatch Logs offers (1, 3, 5, 7, 14, 30, 60, 90 …)',
  );

const concurrencySchema = z.strictObject({
  reserved: count.exactOptional().describe('instances of the function, at least kept free for it and at most used'),
  provisioned: count.exactOptional().describe('instances of the function kept warm, billed by the hour'),
});

const tableSchema = z.strictObject({
  tableClass: z.enum(['standard', 'infrequent-access']).default('standard').describe('table class'),
  warmReads: count
    .min(12_000)
    .exactOptional()
    .describe('read units a second that the table takes from the start; a new table takes 12,000'),
  warmWrites: count
    .min(4_000)
    .exactOptional()
    .describe(
      'write units a second that the table takes from the start; a new table takes 4,000; it cannot be lowered',
    ),
});

const flagsTableSchema = tableSchema.extend({
  existingStreamArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\w.:-]+$/,
      'the ARN of a stream looks like arn:aws:dynamodb:eu-west-1:123456789012:table/flags/stream/2026-11-24T10:00:00.000',
    )
    .exactOptional()
    .describe(
      "the stream of a table that is there, such as a restored one: the deployment uses that table in place of the stack's, which stays (docs/operations.md)",
    ),
});

const domainSchema = z.strictObject({
  name: domainName.describe('name of the host'),
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
      'not the ARN of an ACM certificate in us-east-1, where CloudFront looks for certificates',
    )
    .describe('certificate of the name, in us-east-1'),
  hostedZoneId: hostedZoneId
    .exactOptional()
    .describe('Route 53 zone that gets the address records of the name; without it you add a CNAME yourself'),
  webAclArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/.+$/,
      'not the ARN of a web ACL of scope CLOUDFRONT, in us-east-1',
    )
    .exactOptional()
    .describe('web ACL (AWS WAF) in front of the name; the addresses of API Gateway are not behind it'),
});

const operatorSchema = z.strictObject({
  editorEnvironments: z
    .array(z.string().toLowerCase().refine(isGuid, 'the id of an environment is a GUID; `env list` shows it'))
    .refine((ids) => new Set(ids).size === ids.length, 'an environment is named twice')
    .default([])
    .describe('ids of environments that get an editor’s policy each'),
});

/**
 * Every setting of a deployment with what it accepts, what it is by default and, in its description, what it means. A setting
 * whose default depends on others is optional here; `config.ts` fills it in.
 */
export const settingsSchema = z.strictObject({
  stage: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,19}$/,
      'a stage is 1 to 20 lower-case letters, digits and dashes, and begins with a letter',
    )
    .default('dev')
    .describe('name of the deployment; dev is lean and thrown away as a whole, every other stage keeps its data'),
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,29}$/, 'a name is 1 to 30 letters and digits, and begins with a letter')
    .default('Flagwire')
    .describe(
      'what the names of stacks, alarms and dashboards begin with, so that several deployments fit one account',
    ),
  retainData: onOff
    .exactOptional()
    .describe(
      'keeps tables, bucket and logs when their stack goes, and guards tables against deletion; the default of every stage but dev',
    ),
  terminationProtection: onOff
    .exactOptional()
    .describe('CloudFormation refuses to delete the stacks; the default of every stage but dev'),
  account: z
    .string()
    .regex(/^\d{12}$/, 'an AWS account is 12 digits, in quotation marks')
    .exactOptional()
    .describe('the account to deploy into; without it, that of the credentials'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region looks like eu-central-1')
    .exactOptional()
    .describe('the region to deploy into; without it, that of the credentials'),
  tags: tagsSchema.default({}).describe('more tags on everything, values by name'),
  throttlingRate: count
    .exactOptional()
    .describe(
      "requests a second each API lets through, at most the account's quota for all its APIs in the region together, which " +
        '`npm run deploy` reads and takes; without that it is 10,000, or 2,500 in a small region',
    ),
  throttlingBurst: count
    .exactOptional()
    .describe('requests each API lets through at once, above the rate; 5,000, or 1,250 in a small region'),
  missingAttribute: z
    .enum(['empty', 'no-match'])
    .default('empty')
    .describe(
      "how conditions read an attribute that a user lacks: as empty text, as FeatBit's server, or not matching",
    ),
  connectConcurrency: concurrencySchema.default({}).describe('instances of the connect function'),
  syncConcurrency: concurrencySchema.default({}).describe('instances of the sync function'),
  deliverConcurrency: count
    .min(2)
    .max(MOST_DELIVERIES)
    .exactOptional()
    .describe(
      "calls that deliver changes at once, each to one of the sixteen shards of an environment's connections; one environment takes " +
        'up all but one of them; 4 by default, and one more for each 6,250 of throttlingRate above 25,000; fewer where the account has ' +
        'no room for as many: ten concurrent executions have room for four',
    ),
  flagsTable: flagsTableSchema.prefault({}).describe('the table of flags'),
  connectionsTable: tableSchema.prefault({}).describe('the table of connections; each sync writes to it once'),
  pongs: onOff
    .default(true)
    .describe(
      'whether pings are answered; each answer costs as much as a ping. JavaScript from 4.2.15 and Android connect anew where they are not, SDKs for servers do without',
    ),
  operatorPolicies: section(operatorSchema).describe(
    'IAM policies for those who work with the console or the command line: a viewer, editors, an administrator (docs/console.md)',
  ),
  logRetentionDays: retention.default(30).describe("days that CloudWatch keeps the functions' logs"),
  accessLogRetentionDays: retention.default(30).describe("days that CloudWatch keeps the APIs' access logs"),
  streamingAccessLogs: z
    .enum(['off', 'create-role', 'existing-role'])
    .exactOptional()
    .describe(
      "access logs of the WebSocket API, for which API Gateway uses one role an account and region: off (dev's default), " +
        'create-role sets ours for the whole account, existing-role uses the one that is set; by default `npm run deploy` reads whether one is set, and takes it',
    ),
  streamingExecutionLogs: onOff
    .default(false)
    .describe(
      'logs of what fails inside API Gateway, at level ERROR: why a handshake or a message did not reach a function; ' +
        'they take the role of streamingAccessLogs, which is then on by default',
    ),
  insightRetentionDays: count
    .default(365)
    .describe('days that the bucket keeps the events that SDKs send (evaluations, metrics)'),
  tracing: onOff.default(false).describe('X-Ray traces of the functions'),
  alarms: onOff.default(true).describe('CloudWatch alarms, which cost by the month even when nobody is connected'),
  lean: onOff
    .exactOptional()
    .describe(
      'stays within CloudWatch’s free tier: ten alarms, without those that another one covers, and one graph of costs in place of several; ' +
        "a monthly budget's alarm looks at seven metrics, which are billed beyond these ten; dev's default",
    ),
  monthlyBudget: z
    .number()
    .positive()
    .exactOptional()
    .describe('US dollars a month; an alarm is mailed when the deployment is on the way to more'),
  alarmEmail: z.email('not an e-mail address').exactOptional().describe('e-mail address that gets alarms'),
  alarmTopicArn: z
    .string()
    .regex(/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/, 'not the ARN of an SNS topic')
    .exactOptional()
    .describe('an SNS topic of yours that gets alarms; its policy has to let cloudwatch.amazonaws.com publish'),
  kmsKeyArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
      'the ARN of a key looks like arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef; an alias is not taken',
    )
    .exactOptional()
    .describe(
      "symmetric KMS key of yours, in the deployment's account and region, that encrypts tables, queues, logs, events of SDKs and the topic of alarmEmail, not disks of machines; " +
        'without it, AWS encrypts with keys of its own at no charge. The key’s policy has to let CloudWatch use the key (docs/operations.md). ' +
        'A key costs $1 a month, and $0.03 for 10,000 requests. A disabled key stops the service',
    ),
  permissionsBoundaryArn: z
    .string()
    .regex(/^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/.+$/, 'not the ARN of an IAM policy')
    .exactOptional()
    .describe('permissions boundary of all roles of the deployment'),
  domain: domainSchema.exactOptional().describe('one host for streaming, polling and events, served by CloudFront'),
  regionalDomain: regionalDomainSchema
    .exactOptional()
    .describe(
      'two hosts, one for streaming and one for polling and events, served by API Gateway in the region, without CloudFront. ' +
        'API Gateway cannot map one name to a WebSocket API and an HTTP API (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html)',
    ),
  host: section(hostSchema).describe('the same service on EC2 instances, one or several; it costs by the hour'),
  fargate: section(fargateSchema).describe(
    'the same service as tasks on Fargate behind a network load balancer; it costs by the hour',
  ),
});

/** What an operator may choose about a deployment; every key may be left out. */
export type Settings = z.input<typeof settingsSchema>;

/** {@link Settings} with the defaults that depend on nothing else. */
export type ValidSettings = z.output<typeof settingsSchema>;
