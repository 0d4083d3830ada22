import type { Config } from '../config/config.ts';
import type { Host } from '../config/host.ts';
import type { Finding } from './finding.ts';
import type { MachineTypes } from './machineTypes.ts';

/** The instance types of machines. */
export function machineTypesOf(host: Host | undefined): string[] {
  return [host, host?.loadGenerator].flatMap((machine) => machine?.instanceType ?? []);
}

/** The first zone that offers all types of the machines. @returns undefined if there is none */
export function machineZone(host: Host, types: MachineTypes): string | undefined {
  const [first, ...others] = machineTypesOf(host).map((type) => types[type] ?? []);
  return first?.find((zone) => others.every((zones) => zones.includes(zone)));
}

/** The types without some zones. */
export function typesOutside(types: MachineTypes, zones: readonly string[]): MachineTypes {
  const outside = (offering: readonly string[]) => offering.filter((zone) => !zones.includes(zone));
  return Object.fromEntries(Object.entries(types).map(([name, offering]) => [name, outside(offering)]));
}

/** Machines in a zone that lacks their types or, behind CloudFront, has no VPC origins. @param types in zones that are usable */
export function machineFindings({ host }: Config, types: MachineTypes | undefined, region: string): Finding[] {
  if (!host || !types) return [];
  const { availabilityZone: zone } = host;
  const wanted = machineTypesOf(host);
  if (zone === undefined ? machineZone(host, types) : wanted.every((type) => types[type]?.includes(zone))) return [];
  const where = wanted.map((type) => `${type} can be in ${types[type]?.join(', ') || 'no zone'}`).join(', and ');
  const text = `AWS will refuse the machines in ${zone ?? region}: ${where}. Set another host.availabilityZone, or other instance types, such as t3.micro and c7i.xlarge`;
  return [{ isRefused: true, text }];
}
