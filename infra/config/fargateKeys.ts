import { z } from 'zod';
import { count, domainName, onOff } from './values.ts';

const subnets = z
  .string()
  .regex(
    /^subnet-[0-9a-f]+(,subnet-[0-9a-f]+)+$/,
    'not two or more ids of subnets, in zones of their own: subnet-0a1b…,subnet-2c3d…',
  )
  .transform((ids) => ids.split(','));

/** The context keys of the stack with hosts on Fargate, each described as in contextKeys.ts. */
export const fargateKeys = {
  'flagwire:fargate': onOff
    .default(false)
    .describe('the same service as tasks on Fargate behind a network load balancer; it costs by the hour'),
  'flagwire:taskVcpu': z.coerce
    .number()
    .pipe(z.literal([0.25, 0.5, 1]))
    .default(1)
    .describe('processors of a task: 0.25, 0.5 or 1, as a task runs one host process, which uses one at most'),
  'flagwire:taskMemoryGb': z.coerce
    .number()
    .positive()
    .optional()
    .describe(
      'GB of memory of a task, in the steps that Fargate has for its processors; without it, twice their number',
    ),
  'flagwire:taskCount': count.min(2).default(2).describe('tasks that run at least, two or more, spread over zones'),
  'flagwire:taskMaximum': count.default(10).describe('tasks that run at most, however many connections there are'),
  'flagwire:taskConnections': count
    .max(50_000)
    .default(20_000)
    .describe(
      'connections a task above which more tasks are started; the balancer takes 55,000 to one target at most. New tasks get new connections only',
    ),
  'flagwire:taskSpotPercent': z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('percent of the tasks that run on Fargate Spot: cheaper, and taken away with two minutes of warning'),
  'flagwire:taskDrainSeconds': count
    .max(110)
    .default(60)
    .describe(
      'seconds over which a task that stops closes its connections, so that SDKs come back one after another; Fargate ends a task after 120',
    ),
  'flagwire:taskImage': z
    .string()
    .regex(/^[\w./-]+(:[\w.-]+|@sha256:[0-9a-f]{64})$/, 'an image is named with its tag or its digest')
    .default('public.ecr.aws/aws-cli/aws-cli:2.37.1')
    .describe(
      'public image that tasks run in, by tag or digest: Linux for arm64 with glibc, a shell and the AWS CLI, which fetches the host',
    ),
  'flagwire:vpcId': z
    .string()
    .regex(/^vpc-[0-9a-f]+$/, 'the id of a network looks like vpc-0123456789abcdef0')
    .optional()
    .describe('network for balancer and tasks; without it one is made'),
  'flagwire:publicSubnetIds': subnets
    .optional()
    .describe(
      "the network's subnets for the balancer, comma-separated, one a zone, with a way to and from the internet",
    ),
  'flagwire:privateSubnetIds': subnets
    .optional()
    .describe(
      "the network's subnets for tasks, with a way out by NAT; without them, tasks are in the public ones, with addresses of their own",
    ),
  'flagwire:balancerDomainName': domainName
    .optional()
    .describe('name under which SDKs reach the balancer by TLS; you add a CNAME for it'),
  'flagwire:balancerCertificateArn': z
    .string()
    .regex(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, 'not the ARN of an ACM certificate')
    .optional()
    .describe("certificate of that name, in the deployment's region"),
} as const;
