import type { Config } from '../config/config.ts';
import type { Host } from '../config/host.ts';
import type { Finding } from './finding.ts';
import { ALTERNATIVES, type MachineTypes } from './machineTypes.ts';

/** The instance types of machines. */
export function machineTypesOf(host: Host | undefined): string[] {
  return host ? settingsOf(host).map(({ type }) => type) : [];
}

/** The first zone that offers all types of the machines. @returns undefined if there is none */
export function machineZone(host: Host, types: MachineTypes): string | undefined {
  const [first, ...others] = settingsOf(host).map(({ type }) => types[type] ?? []);
  return first?.find((zone) => others.every((zones) => zones.includes(zone)));
}

/** The types without some zones. */
export function typesOutside(types: MachineTypes, zones: readonly string[]): MachineTypes {
  const outside = (offering: readonly string[]) => offering.filter((zone) => !zones.includes(zone));
  return Object.fromEntries(Object.entries(types).map(([name, offering]) => [name, outside(offering)]));
}

/** The zone of a host behind CloudFront, if CloudFront has no VPC origins there. */
export function originZoneFindings({ host }: Pick<Config, 'host'>, without: readonly string[]): Finding[] {
  const zone = host?.availabilityZone;
  if (zone === undefined || !without.includes(zone)) return [];
  const text = `CloudFront will refuse the host in ${zone}: it has no VPC origins there. Set host.availabilityZone to another zone`;
  return [{ isRefused: true, text }];
}

/** Instance types that the zones of the machines lack. */
export function machineFindings({ host }: Config, types: MachineTypes | undefined, region: string): Finding[] {
  if (!host || !types) return [];
  const { availabilityZone: chosen } = host;
  const zone = machineZone(host, types);
  const isOffered = (type: string) => {
    const offering = types[type] ?? [];
    return chosen === undefined ? offering.length > 0 : offering.includes(chosen);
  };
  if (chosen === undefined ? zone : settingsOf(host).every(({ type }) => isOffered(type))) return [];
  const where = settingsOf(host).map(({ type }) => `${type} is in ${types[type]?.join(', ') || 'no zone'}`);
  const others = settingsOf(host).flatMap(({ key, type }) =>
    !isOffered(type) && isOffered(ALTERNATIVES[key]) ? [`${key}=${ALTERNATIVES[key]}`] : [],
  );
  const ways = [
    ...(zone === undefined ? [] : [`host.availabilityZone=${zone}`]),
    ...(others.length > 0 ? [others.join(' and ')] : []),
  ];
  const text = `EC2 will refuse the machines in ${chosen ?? region}: ${where.join(', and ')}. Way out: set ${ways.join(', or ') || 'other instance types'}`;
  return [{ isRefused: true, text }];
}

/** Each type with the setting that names it. */
function settingsOf({ instanceType, loadGenerator }: Host) {
  const host = { key: 'host.instanceType', type: instanceType } as const;
  if (!loadGenerator) return [host];
  return [host, { key: 'host.loadGenerator.instanceType', type: loadGenerator.instanceType } as const];
}
