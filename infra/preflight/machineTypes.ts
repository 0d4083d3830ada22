import { sendSigned } from './signedRequest.ts';

/** An instance type in a region. */
export interface MachineType {
  /** Availability zones that offer it, in alphabetical order. */
  readonly zones: readonly string[];
  /** Whether the free plan includes it. */
  readonly isFree: boolean;
}

/** Types that a region has if it lacks the usual one, by the setting that names them. */
export const ALTERNATIVES = {
  'host.instanceType': 't3.micro',
  'host.loadGenerator.instanceType': 'c7i.xlarge',
} as const;

/**
 * Reads where EC2 offers instance types, and those of {@link ALTERNATIVES}.
 *
 * Sources: the API references of DescribeInstanceTypeOfferings and DescribeInstanceTypes
 *
 * @returns the types by name
 */
export async function readMachineTypes(
  region: string,
  types: readonly string[],
): Promise<Readonly<Record<string, MachineType>>> {
  const all = [...new Set([...types, ...Object.values(ALTERNATIVES)])];
  const [offerings, ...described] = await Promise.all([
    askEc2(region, 'DescribeInstanceTypeOfferings&LocationType=availability-zone', all),
    ...all.map((type) => askEc2(region, 'DescribeInstanceTypes', [type])),
  ]);
  const offered = [...offerings.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) => item);
  return Object.fromEntries(
    all.map((type, index): [string, MachineType] => {
      const answer = described[index] ?? '';
      const zones = offered
        .filter((item) => item.includes(`<instanceType>${type}</instanceType>`))
        .flatMap((item) => /<location>([^<]+)</.exec(item)?.[1] ?? [])
        // Local Zones have longer names.
        .filter((zone) => zone.length === region.length + 1)
        .sort();
      return [type, { zones, isFree: answer.includes('<freeTierEligible>true<') }];
    }),
  );
}

/** Asks about types by a filter: a type that the region lacks is no error then. */
function askEc2(region: string, action: string, types: readonly string[]): Promise<string> {
  const values = types.map((type, index) => `&Filter.1.Value.${index + 1}=${encodeURIComponent(type)}`);
  const body = `Action=${action}&Filter.1.Name=instance-type${values.join('')}&Version=2016-11-15`;
  return sendSigned({ service: 'ec2', region, body });
}
