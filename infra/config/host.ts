import { z } from 'zod';
import { ConfigError } from './configError.ts';
import {
  allowedCidrs,
  certificateArn,
  count,
  domainName,
  instanceType,
  onOff,
  pollIntervalMs,
  section,
} from './values.ts';

/** Most machines: what one load balancer of a new account has targets for, and more than the published benchmark takes. */
const MOST_MACHINES = 100;

const tlsSchema = z.strictObject({
  domainName: domainName.describe('name under which SDKs reach the host; you add a CNAME for it'),
  certificateArn: certificateArn.describe(
    "certificate of that name: in us-east-1 for one machine, which is behind CloudFront; in the deployment's region for several",
  ),
});

/** The same service on machines of its own. */
export const hostSchema = z.strictObject({
  instanceType: instanceType
    .default('t2.micro')
    .describe("instance type of the hosts; FeatBit's figures are of a t2.micro"),
  count: count
    .max(MOST_MACHINES)
    .default(1)
    .describe('machines; two or more are behind a network load balancer, in two zones'),
  network: z
    .enum(['private', 'public'])
    .default('private')
    .describe(
      'who reaches the host: private, the load generator and host.allowedCidrs; public, the internet or host.allowedCidrs',
    ),
  allowedCidrs: allowedCidrs
    .exactOptional()
    .describe(
      'ranges of IPv4 addresses that reach the host or its balancer; without them, all reach a public one, and none a private one. ' +
        "A private host's own network is 10.0.0.0/16: connect yours to it by peering or a transit gateway",
    ),
  tls: tlsSchema
    .exactOptional()
    .describe('name and certificate of the host: one machine is then behind CloudFront, several have a TLS listener'),
  allowInsecure: onOff
    .default(false)
    .describe(
      'a public host without TLS in stages other than dev: server keys and flags then cross the internet in clear',
    ),
  spot: onOff
    .default(false)
    .describe('two machines or more on Spot: cheaper, and taken away with two minutes of warning'),
  credits: z
    .enum(['standard', 'unlimited'])
    .default('standard')
    .describe('what a t-type does without credits: slow down, or go on at a price'),
  metricsSeconds: z
    .number()
    .int()
    .min(1)
    .max(60)
    .default(60)
    .describe('seconds between measurements of the host; 1 during a test, for which CloudWatch charges more'),
  pollIntervalMs,
  availabilityZone: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone looks like eu-central-1a')
    .exactOptional()
    .describe("zone of one machine's network, as not every zone has every type; without it, the region's first"),
  machineImage: z
    .string()
    .regex(/^ami-[0-9a-f]{8,17}$/, 'the id of an image looks like ami-0123456789abcdef0')
    .exactOptional()
    .describe(
      'image of the machines, an Amazon Linux 2023; without it the newest when a machine is made, which that machine keeps',
    ),
  loadGenerator: section(
    z.strictObject({
      instanceType: instanceType.default('c6i.xlarge').describe('instance type of the load generator'),
    }),
  ).describe("a machine in the host's network to send load from"),
});

/** The same service on machines of its own, with all defaults filled in. */
export type Host = z.output<typeof hostSchema>;

/** The name and certificate of the host. */
export type HostTls = z.output<typeof tlsSchema>;

/** CloudFront looks for certificates there. */
const CLOUDFRONT_REGION = 'us-east-1';

/** @throws ConfigError naming the key, where the host does not fit the deployment */
export function checkHost(host: Host, { stage, region }: { readonly stage: string; readonly region?: string }): void {
  const { count: machines, network, tls, allowInsecure, spot, availabilityZone, allowedCidrs: ranges } = host;
  if (availabilityZone !== undefined) {
    if (region !== undefined && !availabilityZone.startsWith(region))
      throw new ConfigError(`host.availabilityZone=${availabilityZone} cannot be used: the region is ${region}.`);
    if (machines > 1)
      throw new ConfigError(
        `host.availabilityZone=${availabilityZone} cannot be used: ${machines} machines are in two zones.`,
      );
  }
  if (spot && machines === 1)
    throw new ConfigError('host.spot=true cannot be used: it takes two machines or more (host.count).');
  if (ranges && tls && machines === 1)
    throw new ConfigError('host.allowedCidrs cannot be used: one machine with TLS is reached by CloudFront only.');
  if (tls) checkTls(tls, host, region);
  else if (network === 'public' && stage !== 'dev' && !allowInsecure) {
    throw new ConfigError(
      'host.network=public cannot be used without TLS: server keys and flags would cross the internet in clear. Set host.tls, ' +
        'or host.allowInsecure=true.',
    );
  }
}

function checkTls({ certificateArn }: HostTls, { count: machines, network }: Host, region: string | undefined): void {
  if (network === 'private' && machines === 1) {
    throw new ConfigError('host.tls cannot be used: one private machine is reached by its address (host.network).');
  }
  const needed = machines === 1 ? CLOUDFRONT_REGION : region;
  if (needed === undefined || certificateArn.split(':')[3] === needed) return;
  throw new ConfigError(
    `host.tls.certificateArn=${certificateArn} cannot be used: ` +
      (machines === 1
        ? `CloudFront, which one machine is behind, takes certificates of ${needed}.`
        : `the region is ${needed}.`),
  );
}
