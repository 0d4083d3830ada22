import { sendSigned } from './signedRequest.ts';

/** Availability zones that offer instance types, in alphabetical order, by type. */
export type MachineTypes = Readonly<Record<string, readonly string[]>>;

/**
 * Reads where EC2 offers instance types. A type that the region lacks has no zones.
 *
 * Source: the API reference of DescribeInstanceTypeOfferings
 */
export async function readMachineTypes(region: string, types: readonly string[]): Promise<MachineTypes> {
  const values = types.map((type, index) => `&Filter.1.Value.${index + 1}=${encodeURIComponent(type)}`).join('');
  const query = `LocationType=availability-zone&Filter.1.Name=instance-type${values}&Version=2016-11-15`;
  const body = `Action=DescribeInstanceTypeOfferings&${query}`;
  const offerings = await sendSigned({ service: 'ec2', region, body });
  const offered = [...offerings.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) => item);
  const zonesOf = (type: string) =>
    offered
      .filter((item) => item.includes(`<instanceType>${type}</instanceType>`))
      .flatMap((item) => /<location>([^<]+)</.exec(item)?.[1] ?? [])
      // Local Zones have longer names.
      .filter((zone) => zone.length === region.length + 1)
      .sort();
  return Object.fromEntries(types.map((type) => [type, zonesOf(type)]));
}
