import { z } from 'zod';
import { ConfigError } from './configError.ts';
import { instanceType, section } from './values.ts';

/** The same service on a machine of its own. */
export const hostSchema = z.strictObject({
  instanceType: instanceType
    .default('t2.micro')
    .describe("instance type of the host; FeatBit's figures are of a t2.micro"),
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
  availabilityZone: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone looks like eu-central-1a')
    .exactOptional()
    .describe("zone of the host's network, as not every zone has every type; without it, the region's first"),
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

/** The same service on a machine of its own, with all defaults filled in. */
export type Host = z.output<typeof hostSchema>;

/** @throws ConfigError naming the key, where the host does not fit the deployment */
export function checkHost(host: Host, region: string | undefined): void {
  const { availabilityZone } = host;
  if (region !== undefined && availabilityZone !== undefined && !availabilityZone.startsWith(region)) {
    throw new ConfigError(`host.availabilityZone=${availabilityZone} cannot be used: the region is ${region}.`);
  }
}
