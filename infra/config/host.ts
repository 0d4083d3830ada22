import { z } from 'zod';
import { ConfigError } from './configError.ts';
import {
  allowedCidrs,
  cloudFrontCertificateArn,
  domainName,
  fastPollSeconds,
  instanceType,
  onOff,
  pollIntervalMs,
  recordsZoneId,
  section,
  textOf,
  webAclArn,
  wholeNumber,
} from './values.ts';

const tlsSchema = z.strictObject({
  domainName: domainName.describe('domain name of the host for SDKs'),
  certificateArn: cloudFrontCertificateArn.describe('ACM certificate for that name, in us-east-1'),
  hostedZoneId: recordsZoneId,
  webAclArn: webAclArn.exactOptional().describe('AWS WAF web ACL for the host'),
});

/** Settings of the host on an EC2 instance. */
export const hostSchema = z.strictObject({
  instanceType: instanceType
    .default('t2.micro')
    .describe(
      "instance type of the host; FeatBit's benchmark uses a t2.micro. With frontDoor, the default is t4g.micro",
    ),
  network: z
    .enum(['private', 'public'])
    .default('private')
    .describe(
      'who can reach the host. private: the load generator and host.allowedCidrs. public: the internet, or only host.allowedCidrs',
    ),
  allowedCidrs: allowedCidrs
    .exactOptional()
    .describe(
      'IPv4 ranges that can reach the host. Without them, all addresses reach a public host, and none a private one. ' +
        'The network of a private host is 10.0.0.0/16: connect yours to it by peering or a transit gateway',
    ),
  tls: tlsSchema.exactOptional().describe('domain name and certificate: the host is then behind CloudFront'),
  allowInsecure: onOff
    .default(false)
    .describe(
      'allow a public host without TLS in stages other than dev; server keys and flags then cross the internet unencrypted',
    ),
  credits: z
    .enum(['standard', 'unlimited'])
    .default('standard')
    .describe('credits of a t-type: standard slows down when they run out, unlimited is charged instead'),
  metricsSeconds: wholeNumber(1, 60)
    .default(60)
    .describe('seconds between the host’s metrics; use 1 for a load test (CloudWatch charges more)'),
  pollIntervalMs,
  fastPollSeconds,
  availabilityZone: textOf(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone looks like eu-central-1a')
    .exactOptional()
    .describe(
      'availability zone of the machines; some lack some instance types. By default, a zone of the region that has them. ' +
        'Destroy the stack of the host before you change it',
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

/** Settings of the host on an EC2 instance, with all defaults. */
export type Host = z.output<typeof hostSchema>;

/** The name and certificate of the host. */
export type HostTls = z.output<typeof tlsSchema>;

/** Settings for several machines, which Fargate has. */
const SEVERAL_MACHINES = ['count', 'spot', 'availabilityZones'];

/** Names of settings of the host, also of the refused ones. */
export const HOST_KEYS = [...Object.keys(hostSchema.shape), ...SEVERAL_MACHINES];

/** The refusal of a setting for several machines. @returns undefined for another key */
export function explainSeveral(key: string): string | undefined {
  if (!SEVERAL_MACHINES.some((name) => key === `host.${name}`)) return undefined;
  return `${key} cannot be used: host is one machine, in host.availabilityZone. For several hosts, zones or Spot, use fargate.`;
}

/** @throws ConfigError naming the key, if the host's settings contradict those of the deployment */
export function checkHost(host: Host, { stage, region }: { readonly stage: string; readonly region?: string }): void {
  const { network, tls, allowInsecure, availabilityZone: zone, allowedCidrs: ranges } = host;
  if (zone !== undefined && region !== undefined && !zone.startsWith(region))
    throw new ConfigError(`host.availabilityZone=${zone} cannot be used: the region is ${region}.`);
  if (ranges && tls)
    throw new ConfigError(
      'host.allowedCidrs cannot be used with host.tls: clients reach the host through CloudFront only.',
    );
  if (tls && network === 'private')
    throw new ConfigError('host.tls cannot be used: clients reach a private host by its address (host.network).');
  if (!tls && network === 'public' && stage !== 'dev' && !allowInsecure)
    throw new ConfigError(
      'host.network=public cannot be used without TLS: server keys and flags would cross the internet unencrypted. Set host.tls, ' +
        'or host.allowInsecure=true.',
    );
}
