import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { isGuid } from '../../shared/protocol/guid.ts';
import { fargateKeys } from './fargateKeys.ts';
import { tagsSchema } from './tags.ts';
import { count, domainName, onOff } from './values.ts';

/** Prefix of every context key of ours but `stage`; a key under it that we do not know is refused. */
export const namespace = 'flagwire:';

const retention = z.coerce
  .number()
  .refine(
    (days) => days in RetentionDays,
    'not a retention that CloudWatch Logs offers (1, 3, 5, 7, 14, 30, 60, 90 …)',
  );
const instanceType = z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/, 'an instance type looks like t2.micro');
const tableClass = z.enum(['standard', 'infrequent-access']).default('standard');

/**
 * Every context key with what it accepts, what it is by default and, in its description, what it means. The command line
 * gives strings, cdk.json also numbers and booleans; both are taken.
 */
export const contextKeys = {
  stage: z
    .enum(['dev', 'prod'])
    .default('dev')
    .describe('prod keeps tables and logs when a stack goes and guards tables; dev leaves nothing behind'),
  'flagwire:account': z.coerce
    .string()
    .regex(/^\d{12}$/, 'an AWS account is 12 digits')
    .optional()
    .describe('the account to deploy into; without it, that of the credentials'),
  'flagwire:region': z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region looks like eu-central-1')
    .optional()
    .describe('the region to deploy into; without it, that of the credentials'),
  'flagwire:tags': tagsSchema.default({}).describe('more tags on everything: name=value,name=value'),
  'flagwire:throttlingRate': count
    .optional()
    .describe(
      "requests a second each API lets through, at most the account's quota for all its APIs in the region together, which " +
        '`npm run deploy` reads and takes; without that it is 10,000, or 2,500 in a small region',
    ),
  'flagwire:throttlingBurst': count
    .optional()
    .describe('requests each API lets through at once, above the rate; 5,000, or 1,250 in a small region'),
  'flagwire:missingAttribute': z
    .enum(['empty', 'no-match'])
    .default('empty')
    .describe(
      "how conditions read an attribute that a user lacks: as empty text, as FeatBit's server, or not matching",
    ),
  'flagwire:connectReservedConcurrency': count
    .optional()
    .describe('instances of the connect function, at least kept free for it and at most used'),
  'flagwire:connectProvisionedConcurrency': count
    .optional()
    .describe('instances of the connect function kept warm, billed by the hour'),
  'flagwire:syncReservedConcurrency': count
    .optional()
    .describe('instances of the sync function, at least kept free for it and at most used'),
  'flagwire:syncProvisionedConcurrency': count
    .optional()
    .describe('instances of the sync function kept warm, billed by the hour'),
  'flagwire:deliverConcurrency': count
    .min(2)
    .max(1_000)
    .default(4)
    .describe(
      "calls that deliver changes at once, each to one of the sixteen shards of an environment's connections; one environment takes " +
        'up all but one of them; an account of ten concurrent executions has room for four',
    ),
  'flagwire:deliveryRate': count
    .optional()
    .describe(
      'messages a second that deliveries of changes send at most, all together; without it two fifths of the ' +
        "throttlingRate. What is left is for pings, syncs and HTTP: a connection's ping every 18 s is 0.056 requests a second",
    ),
  'flagwire:flagsTableClass': tableClass.describe('table class of the flags table'),
  'flagwire:flagsWarmReads': count
    .min(12_000)
    .optional()
    .describe('read units a second the flags table takes from the start; a new table takes 12,000'),
  'flagwire:flagsWarmWrites': count
    .min(4_000)
    .optional()
    .describe('write units a second the flags table takes from the start; a new table takes 4,000'),
  'flagwire:connectionsTableClass': tableClass.describe('table class of the connections table'),
  'flagwire:connectionsWarmReads': count
    .min(12_000)
    .optional()
    .describe('read units a second the connections table takes from the start'),
  'flagwire:connectionsWarmWrites': count
    .min(4_000)
    .optional()
    .describe(
      'write units a second the connections table takes from the start; each sync writes one; it cannot be lowered',
    ),
  'flagwire:pongs': onOff
    .default(true)
    .describe(
      'whether pings are answered; each answer costs as much as a ping. JavaScript from 4.2.15 and Android connect anew where they are not, SDKs for servers do without',
    ),
  'flagwire:operatorPolicies': onOff
    .default(false)
    .describe(
      'IAM policies for those who work with the console or the command line: a viewer, editors, an administrator (docs/console.md)',
    ),
  'flagwire:editorEnvironments': z
    .string()
    .transform((text) => text.split(',').map((id) => id.trim().toLowerCase()))
    .refine((ids) => ids.every(isGuid), 'ids of environments are GUIDs, comma-separated; `env list` shows them')
    .refine((ids) => new Set(ids).size === ids.length, 'an environment is named twice')
    .optional()
    .describe('environments that get an editor’s policy each, by their ids, comma-separated'),
  'flagwire:logRetentionDays': retention.default(30).describe("days that CloudWatch keeps the functions' logs"),
  'flagwire:accessLogRetentionDays': retention.default(30).describe("days that CloudWatch keeps the APIs' access logs"),
  'flagwire:streamingAccessLogs': z
    .enum(['off', 'create-role', 'existing-role'])
    .optional()
    .describe(
      "access logs of the WebSocket API, for which API Gateway uses one role an account and region: off (dev's default), " +
        "create-role sets ours for the whole account (prod's default), existing-role uses the one that is set",
    ),
  'flagwire:streamingExecutionLogs': onOff
    .default(false)
    .describe(
      'logs of what fails inside API Gateway, at level ERROR: why a handshake or a message did not reach a function; ' +
        'they take the role of streamingAccessLogs, which is then on by default',
    ),
  'flagwire:insightRetentionDays': count
    .default(365)
    .describe('days that the bucket keeps the events that SDKs send (evaluations, metrics)'),
  'flagwire:tracing': onOff.default(false).describe('X-Ray traces of the functions'),
  'flagwire:alarms': onOff
    .default(true)
    .describe('CloudWatch alarms, which cost by the month even when nobody is connected'),
  'flagwire:lean': onOff
    .optional()
    .describe(
      'stays within CloudWatch’s free tier: ten alarms, without those that another one covers, and a dashboard of 50 metrics, without graphs of costs; ' +
        "a monthly budget's alarm looks at seven metrics, which are billed beyond these ten; dev's default",
    ),
  'flagwire:monthlyBudget': z.coerce
    .number()
    .positive()
    .optional()
    .describe('US dollars a month; an alarm is mailed when the deployment is on the way to more'),
  'flagwire:alarmEmail': z.email('not an e-mail address').optional().describe('e-mail address that gets alarms'),
  'flagwire:domainName': domainName
    .optional()
    .describe('one host for streaming, polling and events, served by CloudFront'),
  'flagwire:certificateArn': z
    .string()
    .regex(
      /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
      'not the ARN of an ACM certificate in us-east-1, where CloudFront looks for certificates',
    )
    .optional()
    .describe('certificate of the domain name, in us-east-1'),
  'flagwire:hostedZoneId': z
    .string()
    .regex(/^Z[A-Z0-9]+$/, 'the id of a hosted zone looks like Z0123456789ABCDEFGHIJ')
    .optional()
    .describe('Route 53 zone that gets the address records of the domain name; without it you add a CNAME yourself'),
  'flagwire:comparison': onOff
    .default(false)
    .describe('the same service on one small machine, to compare with; it costs by the hour'),
  'flagwire:hostInstanceType': instanceType
    .default('t2.micro')
    .describe("its instance type; FeatBit's figures are of a t2.micro"),
  'flagwire:availabilityZone': z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone looks like eu-central-1a')
    .optional()
    .describe("the zone of its network, as not every zone has every type; without it, the region's first"),
  'flagwire:machineImage': z
    .string()
    .regex(/^ami-[0-9a-f]{8,17}$/, 'the id of an image looks like ami-0123456789abcdef0')
    .optional()
    .describe(
      'image of its machines, an Amazon Linux 2023; without it the newest when a machine is made, which that machine keeps',
    ),
  'flagwire:hostCredits': z
    .enum(['standard', 'unlimited'])
    .default('standard')
    .describe('what a t-type does without credits: slow down, or go on at a price'),
  'flagwire:hostMetricsSeconds': z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(60)
    .describe('seconds between measurements of it; 1 during a test, for which CloudWatch charges more'),
  'flagwire:loadGenerator': onOff.default(false).describe('a machine in its network to send load from'),
  'flagwire:loadGeneratorInstanceType': instanceType
    .default('c6i.xlarge')
    .describe('instance type of the load generator'),
  ...fargateKeys,
} as const;

/** What the context says, each key with its default filled in. */
export const contextSchema = z.object(contextKeys);

/** The context, validated; see {@link contextKeys}. */
export type Context = z.infer<typeof contextSchema>;
