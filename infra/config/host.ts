import { z } from 'zod';
import { ConfigError } from './configError.ts';
import {
  allowedCidrs,
  certificateArn,
  count,
  domainName,
  fastPollSeconds,
  instanceType,
  onOff,
  pollIntervalMs,
  recordsZoneId,
  regionIn,
  section,
  textOf,
  webAclArn,
  wholeNumber,
} from './values.ts';

/** Maximum number of machines. One load balancer of a new account has targets for them, and the published benchmark needs fewer. */
const MOST_MACHINES = 100;

const tlsSchema = z.strictObject({
  domainName: domainName.describe('domain name of the host for SDKs'),
  certificateArn: certificateArn.describe(
    "ACM certificate for that name: in us-east-1 for one machine (behind CloudFront), in the deployment's region for several",
  ),
  hostedZoneId: recordsZoneId,
  webAclArn: webAclArn.exactOptional().describe('AWS WAF web ACL for one machine, which is behind CloudFront'),
});

/** Settings of the host on EC2 instances. */
export const hostSchema = z.strictObject({
  instanceType: instanceType
    .default('t2.micro')
    .describe(
      "instance type of the hosts; FeatBit's benchmark uses a t2.micro. With frontDoor, the default is t4g.micro",
    ),
  count: count
    .max(MOST_MACHINES)
    .default(1)
    .describe('number of machines; two or more run in two zones behind a network load balancer'),
  network: z
    .enum(['private', 'public'])
    .default('private')
    .describe(
      'who can reach the host. private: the load generator and host.allowedCidrs. public: the internet, or only host.allowedCidrs',
    ),
  allowedCidrs: allowedCidrs
    .exactOptional()
    .describe(
      'IPv4 ranges that can reach the host or its load balancer. Without them, all addresses reach a public host, and none a private one. ' +
        'The network of a private host is 10.0.0.0/16: connect yours to it by peering or a transit gateway',
    ),
  tls: tlsSchema
    .exactOptional()
    .describe('domain name and certificate: one machine is then behind CloudFront, several get a TLS listener'),
  allowInsecure: onOff
    .default(false)
    .describe(
      'allow a public host without TLS in stages other than dev; server keys and flags then cross the internet unencrypted',
    ),
  spot: onOff
    .default(false)
    .describe('run two or more machines on Spot: cheaper, but AWS can take them back with two minutes’ notice'),
  credits: z
    .enum(['standard', 'unlimited'])
    .default('standard')
    .describe('credits of a t-type: standard slows down when they run out, unlimited is charged instead'),
  metricsSeconds: wholeNumber(1, 60)
    .default(60)
    .describe('seconds between the host’s metrics; use 1 for a load test (CloudWatch charges more)'),
  pollIntervalMs,
  fastPollSeconds,
  availabilityZones: z
    .array(textOf(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone looks like eu-central-1a'))
    .refine((zones) => new Set(zones).size === zones.length, 'a zone is named twice')
    .exactOptional()
    .describe(
      'availability zones of the machines: one for a single machine, two for several. Some zones lack some instance types. ' +
        'By default, zones of the region that have them',
    ),
  machineImage: textOf(/^ami-[0-9a-f]{8,17}$/, 'the id of an image looks like ami-0123456789abcdef0')
    .exactOptional()
    .describe('Amazon Linux 2023 image of the machines; without it, the newest image when the machine is created'),
  loadGenerator: section(
    z.strictObject({
      instanceType: instanceType.default('c6i.xlarge').describe('instance type of the load generator'),
    }),
  ).describe("a machine in the host's network that sends load"),
});

/** Settings of the host on EC2 instances, with all defaults. */
export type Host = z.output<typeof hostSchema>;

/** The name and certificate of the host. */
export type HostTls = z.output<typeof tlsSchema>;

/** CloudFront reads certificates from this region. */
const CLOUDFRONT_REGION = 'us-east-1';

/** Zones of a network for machines. */
export const ZONES = 2;

/** Number of zones of the machines. */
export function zonesOf({ count: machines }: Pick<Host, 'count'>): number {
  return Math.min(machines, ZONES);
}

/** @throws ConfigError naming the key, if the host's settings contradict those of the deployment */
export function checkHost(host: Host, { stage, region }: { readonly stage: string; readonly region?: string }): void {
  const { count: machines, network, tls, allowInsecure, spot, availabilityZones: zones, allowedCidrs: ranges } = host;
  if (zones !== undefined) {
    if (region !== undefined && !zones.every((zone) => zone.startsWith(region)))
      throw new ConfigError(`host.availabilityZones=${zones} cannot be used: the region is ${region}.`);
    if (zones.length !== zonesOf(host))
      throw new ConfigError(
        `host.availabilityZones=${zones} cannot be used: name one zone for one machine, and two for several (host.count=${machines}).`,
      );
  }
  if (spot && machines === 1)
    throw new ConfigError('host.spot=true cannot be used: Spot needs two or more machines (host.count).');
  if (ranges && tls && machines === 1)
    throw new ConfigError(
      'host.allowedCidrs cannot be used: clients reach one machine with TLS through CloudFront only.',
    );
  if (tls) checkTls(tls, host, region);
  else if (network === 'public' && stage !== 'dev' && !allowInsecure) {
    throw new ConfigError(
      'host.network=public cannot be used without TLS: server keys and flags would cross the internet unencrypted. Set host.tls, ' +
        'or host.allowInsecure=true.',
    );
  }
}

function checkTls(
  { certificateArn, webAclArn: acl }: HostTls,
  { count: machines, network }: Host,
  region: string | undefined,
): void {
  if (network === 'private' && machines === 1) {
    throw new ConfigError('host.tls cannot be used: clients reach one private machine by its address (host.network).');
  }
  if (acl !== undefined && machines > 1)
    throw new ConfigError(
      'host.tls.webAclArn cannot be used with several hosts: a network load balancer takes no web ACL.',
    );
  const needed = machines === 1 ? CLOUDFRONT_REGION : region;
  if (needed === undefined || (regionIn(certificateArn) ?? needed) === needed) return;
  throw new ConfigError(
    `host.tls.certificateArn=${certificateArn} cannot be used: ` +
      (machines === 1
        ? `one machine is behind CloudFront, which needs a certificate in ${needed}.`
        : `the region is ${needed}.`),
  );
}
