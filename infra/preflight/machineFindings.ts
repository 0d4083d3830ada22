import type { Config } from '../config/config.ts';
import { type Host, zonesOf } from '../config/host.ts';
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

/**
 * Zones for the machines.
 *
 * @param deployed zones of the current deployment, which stay if they can: CloudFormation cannot move a subnet
 * @returns undefined if not enough zones offer all types
 */
export function machineZones(host: Host, types: MachineTypes, deployed: readonly string[] = []): string[] | undefined {
  const common = commonZones(host, types);
  const zones = [...new Set([...deployed.filter((zone) => common.includes(zone)), ...common])];
  return zones.length < zonesOf(host) ? undefined : zones.slice(0, zonesOf(host));
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
  const wrong = host?.availabilityZones?.filter((zone) => without.includes(zone)) ?? [];
  const text = `CloudFront will refuse the host in ${wrong.join(', ')}: it has no VPC origins there. Remove host.availabilityZones, and deploy chooses another zone`;
  return wrong.length === 0 ? [] : [{ isRefused: true, text }];
}

/** Problems that EC2 would report: types that zones lack, and vCPUs above the quota. Other instances in the account are unknown. */
export function machineFindings({ host }: Config, types: MachineTypes | undefined, limits: AccountLimits): Finding[] {
  return host && types ? [...unoffered(host, types, limits.region), ...vcpusAbove(host, types, limits)] : [];
}

function unoffered(host: Host, types: MachineTypes, region: string): Finding[] {
  const { availabilityZones: chosen } = host;
  const zones = machineZones(host, types);
  if (chosen ? chosen.every((zone) => commonZones(host, types).includes(zone)) : zones) return [];
  const isOffered = (type: string) => {
    const offering = types[type]?.zones ?? [];
    return chosen ? chosen.every((zone) => offering.includes(zone)) : offering.length >= zonesOf(host);
  };
  const where = settingsOf(host).map(({ type }) => `${type} is in ${types[type]?.zones.join(', ') || 'no zone'}`);
  const others = settingsOf(host).flatMap(({ key, type }) =>
    !isOffered(type) && isOffered(ALTERNATIVES[key]) ? [`${key}=${ALTERNATIVES[key]}`] : [],
  );
  const ways = [
    ...(zones ? [`host.availabilityZones=${zones}`] : []),
    ...(others.length > 0 ? [others.join(' and ')] : []),
  ];
  const text = `EC2 will refuse the machines in ${chosen?.join(', ') ?? region}: ${where.join(', and ')}. Way out: set ${ways.join(', or ') || 'other instance types'}`;
  return [{ isRefused: true, text }];
}

function vcpusAbove(host: Host, types: MachineTypes, { region, machineVcpus }: AccountLimits): Finding[] {
  const vcpus = (type: string) => (STANDARD.test(type) ? (types[type]?.vcpus ?? 0) : 0);
  const ofHost = host.spot ? 0 : vcpus(host.instanceType);
  const needed = host.count * ofHost + (host.loadGenerator ? vcpus(host.loadGenerator.instanceType) : 0);
  if (machineVcpus === undefined || machineVcpus >= needed + ofHost) return [];
  const isRefused = machineVcpus < needed;
  const [what, most] = isRefused
    ? [`start the machines: they need ${needed} vCPUs on demand`, needed]
    : [`replace a host in updates: the machines need ${needed + ofHost} vCPUs on demand meanwhile`, needed + ofHost];
  const text = `EC2 will not ${what}, and the account's quota is ${machineVcpus}. Request more: ${requestFor(QUOTAS.machineVcpus, most, region)}`;
  return [{ isRefused, text }];
}

function commonZones(host: Host, types: MachineTypes): string[] {
  const [first = [], ...others] = settingsOf(host).map(({ type }) => types[type]?.zones ?? []);
  return first.filter((zone) => others.every((zones) => zones.includes(zone)));
}

/** Each type with the setting that names it. */
function settingsOf({ instanceType, loadGenerator }: Host) {
  const host = { key: 'host.instanceType', type: instanceType } as const;
  if (!loadGenerator) return [host];
  return [host, { key: 'host.loadGenerator.instanceType', type: loadGenerator.instanceType } as const];
}
