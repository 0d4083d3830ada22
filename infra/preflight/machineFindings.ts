import type { Config } from '../config/config.ts';
import type { Host } from '../config/host.ts';
import type { Finding } from './finding.ts';
import { ALTERNATIVES, type MachineType } from './machineTypes.ts';
import { type AccountLimits, QUOTAS, requestFor } from './quotas.ts';

type MachineTypes = Readonly<Record<string, MachineType>>;

/** Families whose vCPUs the quota counts. */
const STANDARD = /^([acdhimrtz]|im|is)\d/;

/** The instance types of machines. */
export function machineTypesOf(host: Host | undefined): string[] {
  return host ? settingsOf(host).map(({ type }) => type) : [];
}

/** The first zone that offers all types of the machines. @returns undefined if there is none */
export function machineZone(host: Host, types: MachineTypes): string | undefined {
  const [first, ...others] = settingsOf(host).map(({ type }) => types[type]?.zones ?? []);
  return first?.find((zone) => others.every((zones) => zones.includes(zone)));
}

/** The types without some zones. */
export function typesOutside(types: MachineTypes, zones: readonly string[]): MachineTypes {
  const outside = ({ zones: offering, ...type }: MachineType) => ({
    ...type,
    zones: offering.filter((zone) => !zones.includes(zone)),
  });
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, outside(type)]));
}

/** The zone of a host behind CloudFront, if CloudFront has no VPC origins there. */
export function originZoneFindings({ host }: Pick<Config, 'host'>, without: readonly string[]): Finding[] {
  const zone = host?.availabilityZone;
  if (zone === undefined || !without.includes(zone)) return [];
  const text = `CloudFront will refuse the host in ${zone}: it has no VPC origins there. Set host.availabilityZone to another zone`;
  return [{ isRefused: true, text }];
}

/** Problems that EC2 would report: types that zones lack, and vCPUs above the quota. Other instances in the account are unknown. */
export function machineFindings({ host }: Config, types: MachineTypes | undefined, limits: AccountLimits): Finding[] {
  return host && types ? [...unoffered(host, types, limits.region), ...vcpusAbove(host, types, limits)] : [];
}

function unoffered(host: Host, types: MachineTypes, region: string): Finding[] {
  const { availabilityZone: chosen } = host;
  const zone = machineZone(host, types);
  const isOffered = (type: string) => {
    const offering = types[type]?.zones ?? [];
    return chosen === undefined ? offering.length > 0 : offering.includes(chosen);
  };
  if (chosen === undefined ? zone : settingsOf(host).every(({ type }) => isOffered(type))) return [];
  const where = settingsOf(host).map(({ type }) => `${type} is in ${types[type]?.zones.join(', ') || 'no zone'}`);
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

function vcpusAbove(host: Host, types: MachineTypes, { region, machineVcpus }: AccountLimits): Finding[] {
  const vcpus = (type: string) => (STANDARD.test(type) ? (types[type]?.vcpus ?? 0) : 0);
  const ofHost = vcpus(host.instanceType);
  const needed = ofHost + (host.loadGenerator ? vcpus(host.loadGenerator.instanceType) : 0);
  if (machineVcpus === undefined || machineVcpus >= needed + ofHost) return [];
  const isRefused = machineVcpus < needed;
  const [what, most] = isRefused
    ? [`start the machines: they need ${needed} vCPUs on demand`, needed]
    : [`replace a host in updates: the machines need ${needed + ofHost} vCPUs on demand meanwhile`, needed + ofHost];
  const text = `EC2 will not ${what}, and the account's quota is ${machineVcpus}. Request more: ${requestFor(QUOTAS.machineVcpus, most, region)}`;
  return [{ isRefused, text }];
}

/** Each type with the setting that names it. */
function settingsOf({ instanceType, loadGenerator }: Host) {
  const host = { key: 'host.instanceType', type: instanceType } as const;
  if (!loadGenerator) return [host];
  return [host, { key: 'host.loadGenerator.instanceType', type: loadGenerator.instanceType } as const];
}
