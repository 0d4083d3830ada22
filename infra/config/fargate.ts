import { z } from 'zod';
import { ConfigError } from './configError.ts';
import {
  allowedCidrs,
  certificateArn,
  count,
  domainName,
  fastPollSeconds,
  onOff,
  pollIntervalMs,
  recordsZoneId,
  textOf,
  wholeNumber,
} from './values.ts';

const subnets = z
  .array(textOf(/^subnet-[0-9a-f]+$/, 'the id of a subnet looks like subnet-0123456789abcdef0'))
  .min(2, 'two or more subnet ids, each in another zone');

const networkSchema = z.strictObject({
  vpcId: textOf(/^vpc-[0-9a-f]+$/, 'the id of a VPC looks like vpc-0123456789abcdef0').describe('id of the VPC'),
  publicSubnetIds: subnets.describe('public subnets for the load balancer, one for each zone'),
  privateSubnetIds: subnets
    .exactOptional()
    .describe('private subnets with NAT for the tasks; without them, tasks run in the public subnets'),
});

const tlsSchema = z.strictObject({
  domainName: domainName.describe('domain name of the load balancer for SDKs'),
  certificateArn: certificateArn.describe("ACM certificate for that name, in the deployment's region"),
  hostedZoneId: recordsZoneId,
});

/**
 * Memory sizes of a task in GB, by its vCPU.
 *
 * Source: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html
 */
const MEMORY_GB = { 0.25: [0.5, 1, 2], 0.5: [1, 2, 3, 4], 1: [2, 3, 4, 5, 6, 7, 8] } as const;

/** Zones of a new network. */
export const ZONES = 2;

/** Settings of the Fargate service behind a network load balancer. */
export const fargateSchema = z.strictObject({
  vcpu: z
    .literal([0.25, 0.5, 1])
    .default(1)
    .describe('vCPU of a task: 0.25, 0.5 or 1; a task runs one host process, which uses at most one vCPU'),
  memoryGb: z
    .number()
    .positive()
    .exactOptional()
    .describe('memory of a task in GB, a size that Fargate offers for its vCPU; without it, twice the vCPU'),
  count: count.min(2).default(2).describe('minimum number of tasks, two or more, spread over zones'),
  maximum: count.default(10).describe('maximum number of tasks'),
  connections: count
    .max(50_000)
    .default(20_000)
    .describe(
      'connections per task above which more tasks start. The load balancer allows 55,000 per target. New tasks get new connections only',
    ),
  spotPercent: wholeNumber(0, 100)
    .default(0)
    .describe('percentage of tasks on Fargate Spot: cheaper, but AWS can take them back with two minutes’ notice'),
  drainSeconds: count
    .max(110)
    .default(60)
    .describe(
      'seconds over which a stopping task closes its connections, to spread reconnects; Fargate ends a task after 120',
    ),
  image: textOf(/^[\w./-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/, 'an image is named with its tag or its digest')
    .default('public.ecr.aws/aws-cli/aws-cli:2.37.1')
    .describe(
      'public container image of the tasks, by tag or digest: Linux for arm64 with glibc, a shell and the AWS CLI (which downloads the host)',
    ),
  network: networkSchema.exactOptional().describe('VPC for load balancer and tasks; without it, the stack creates one'),
  tls: tlsSchema.exactOptional().describe('domain name and certificate for TLS at the load balancer'),
  balancer: z
    .enum(['public', 'internal'])
    .default('public')
    .describe(
      'who can reach the load balancer: the internet (public), or only its VPC and connected networks (internal)',
    ),
  allowedCidrs: allowedCidrs
    .exactOptional()
    .describe('IPv4 ranges that can reach the load balancer; without them, all'),
  allowInsecure: onOff
    .default(false)
    .describe(
      'allow a public load balancer without TLS in stages other than dev; server keys and flags then cross the internet unencrypted',
    ),
  pollIntervalMs,
  fastPollSeconds,
});

type FargateSettings = z.output<typeof fargateSchema>;

/** Domain name and certificate for TLS at the load balancer. */
export type BalancerTls = z.output<typeof tlsSchema>;

/** Settings of the Fargate service, with all defaults. */
export type Fargate = FargateSettings & { readonly memoryGb: number };

/**
 * Fills in the defaults that depend on other settings.
 *
 * @throws ConfigError naming the key, if settings contradict each other
 */
export function resolveFargate(fargate: FargateSettings, { stage }: { readonly stage: string }): Fargate {
  const { vcpu, count: least, maximum, tls, balancer, allowInsecure, memoryGb = 2 * vcpu } = fargate;
  if (maximum < least) {
    throw new ConfigError(`fargate.maximum=${maximum} cannot be used: the minimum is ${least} (fargate.count).`);
  }
  const steps: readonly number[] = MEMORY_GB[vcpu];
  if (!steps.includes(memoryGb)) {
    throw new ConfigError(
      `fargate.memoryGb=${memoryGb} cannot be used: a task with ${vcpu} vCPU can have ${steps.join(', ')} GB.`,
    );
  }
  if (!tls && balancer === 'public' && stage !== 'dev' && !allowInsecure) {
    throw new ConfigError(
      'fargate cannot be used without TLS: server keys and flags would cross the internet unencrypted. Set fargate.tls, ' +
        'fargate.balancer=internal, or fargate.allowInsecure=true.',
    );
  }
  return { ...fargate, memoryGb };
}
