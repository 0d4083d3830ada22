import { z } from 'zod';
import { ConfigError } from './configError.ts';
import { allowedCidrs, certificateArn, count, domainName, onOff, pollIntervalMs } from './values.ts';

const subnets = z
  .array(z.string().regex(/^subnet-[0-9a-f]+$/, 'the id of a subnet looks like subnet-0123456789abcdef0'))
  .min(2, 'two or more ids of subnets, in zones of their own');

const networkSchema = z.strictObject({
  vpcId: z
    .string()
    .regex(/^vpc-[0-9a-f]+$/, 'the id of a network looks like vpc-0123456789abcdef0')
    .describe('id of the network'),
  publicSubnetIds: subnets.describe('subnets of the balancer, one a zone, with a way to and from the internet'),
  privateSubnetIds: subnets
    .exactOptional()
    .describe('subnets of the tasks, with a way out by NAT; without them, tasks are in the public ones'),
});

const tlsSchema = z.strictObject({
  domainName: domainName.describe('name under which SDKs reach the balancer by TLS; you add a CNAME for it'),
  certificateArn: certificateArn.describe("certificate of that name, in the deployment's region"),
});

/**
 * GB that a task can have, by its processors.
 *
 * Source: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html
 */
const MEMORY_GB = { 0.25: [0.5, 1, 2], 0.5: [1, 2, 3, 4], 1: [2, 3, 4, 5, 6, 7, 8] } as const;

/** The same service as tasks on Fargate behind a network load balancer. */
export const fargateSchema = z.strictObject({
  vcpu: z
    .literal([0.25, 0.5, 1])
    .default(1)
    .describe('processors of a task: 0.25, 0.5 or 1, as a task runs one host process, which uses one at most'),
  memoryGb: z
    .number()
    .positive()
    .exactOptional()
    .describe(
      'GB of memory of a task, in the steps that Fargate has for its processors; without it, twice their number',
    ),
  count: count.min(2).default(2).describe('tasks that run at least, two or more, spread over zones'),
  maximum: count.default(10).describe('tasks that run at most, however many connections there are'),
  connections: count
    .max(50_000)
    .default(20_000)
    .describe(
      'connections a task above which more tasks are started; the balancer takes 55,000 to one target at most. New tasks get new connections only',
    ),
  spotPercent: z
    .number()
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('percent of the tasks that run on Fargate Spot: cheaper, and taken away with two minutes of warning'),
  drainSeconds: count
    .max(110)
    .default(60)
    .describe(
      'seconds over which a task that stops closes its connections, so that SDKs come back one after another; Fargate ends a task after 120',
    ),
  image: z
    .string()
    .regex(/^[\w./-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/, 'an image is named with its tag or its digest')
    .default('public.ecr.aws/aws-cli/aws-cli:2.37.1')
    .describe(
      'public image that tasks run in, by tag or digest: Linux for arm64 with glibc, a shell and the AWS CLI, which fetches the host',
    ),
  network: networkSchema.exactOptional().describe('network for balancer and tasks; without it one is made'),
  tls: tlsSchema.exactOptional().describe('name and certificate by which the balancer speaks TLS'),
  balancer: z
    .enum(['public', 'internal'])
    .default('public')
    .describe('who reaches the balancer: the internet, or only its network and what is connected to it'),
  allowedCidrs: allowedCidrs
    .exactOptional()
    .describe('ranges of IPv4 addresses that reach the balancer; without them, all'),
  allowInsecure: onOff
    .default(false)
    .describe(
      'a public balancer without TLS in stages other than dev: server keys and flags then cross the internet in clear',
    ),
  pollIntervalMs,
});

type FargateSettings = z.output<typeof fargateSchema>;

/** A network that is there already. */
export type GivenNetwork = z.output<typeof networkSchema>;

/** The name and certificate by which the balancer speaks TLS. */
export type BalancerTls = z.output<typeof tlsSchema>;

/** The same service as tasks behind a network load balancer, with all defaults filled in. */
export type Fargate = FargateSettings & { readonly memoryGb: number };

/**
 * Fills in what follows from other settings.
 *
 * @throws ConfigError naming the key, where settings do not fit each other
 */
export function resolveFargate(
  fargate: FargateSettings,
  { stage, region }: { readonly stage: string; readonly region?: string },
): Fargate {
  const { vcpu, count: least, maximum, tls, balancer, allowInsecure, memoryGb = 2 * vcpu } = fargate;
  if (maximum < least) {
    throw new ConfigError(`fargate.maximum=${maximum} cannot be used: ${least} tasks run at least (fargate.count).`);
  }
  const steps: readonly number[] = MEMORY_GB[vcpu];
  if (!steps.includes(memoryGb)) {
    throw new ConfigError(
      `fargate.memoryGb=${memoryGb} cannot be used: a task of ${vcpu} vCPU has ${steps.join(', ')} GB.`,
    );
  }
  if (tls && region !== undefined && tls.certificateArn.split(':')[3] !== region) {
    throw new ConfigError(`fargate.tls.certificateArn=${tls.certificateArn} cannot be used: the region is ${region}.`);
  }
  if (!tls && balancer === 'public' && stage !== 'dev' && !allowInsecure) {
    throw new ConfigError(
      'fargate cannot be used without TLS: server keys and flags would cross the internet in clear. Set fargate.tls, ' +
        'fargate.balancer=internal, or fargate.allowInsecure=true.',
    );
  }
  return { ...fargate, memoryGb };
}
