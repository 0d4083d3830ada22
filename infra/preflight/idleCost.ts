import { type Line, priceLines, standing } from '../../cost/prices/bill.ts';
import { PRICED_INSTANCES } from '../../cost/prices/meters.ts';
import type { PriceKey } from '../../cost/prices/priceSheet.ts';
import {
  DASHBOARDS,
  DETAILED_METRICS,
  DOOR_ALARMS,
  FARGATE_ALARMS,
  HOST_ALARMS,
  HOST_DISK_GB,
  HOST_METRICS,
  SCALING_ALARMS,
  standingAlarms,
} from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf, REGIONS } from '../../cost/prices/sheets.ts';
import { queuePolls, standingLines } from '../../cost/prices/standingLines.ts';
import { MONTH_HOURS } from '../../cost/prices/tiers.ts';
import type { Config } from '../config/config.ts';
import { type Host, ZONES } from '../config/host.ts';
import { GENERATOR_DISK_GB } from '../constructs/host/generatorMachine.ts';

/** The cost of a deployment without connections. */
interface IdleCost {
  /** US dollars a month, at list price without free allowances. */
  readonly usd: number;
  /** The region of the prices. */
  readonly region: string;
  /** Items charged in addition, at a price unknown here. */
  readonly unpriced: readonly string[];
}

/** The monthly cost of an unused deployment at list price. @param region its region */
export function idleCost(config: Config, region: string): IdleCost {
  const { host, frontDoor, fargate, connectConcurrency, syncConcurrency, alarms, lean, eventBus } = config;
  const priced = REGIONS.find((each) => each === region) ?? 'us-east-1';
  const lines = [
    ...standingLines(alarms ? standingAlarms(lean, eventBus !== 'off') : 0, lean),
    queuePolls(),
    ...(host ? hostLines(host, alarms, frontDoor !== undefined) : []),
    ...(fargate ? fargateLines(fargate, alarms) : []),
  ];
  const provisioned = (connectConcurrency.provisioned ?? 0) + (syncConcurrency.provisioned ?? 0);
  return {
    usd: priceLines(lines, priceSheetOf(priced)).total,
    region: priced,
    unpriced: [
      ...(provisioned > 0 ? [`${provisioned} instances of functions kept warm`] : []),
      ...(host ? unpricedInstances(host.instanceType, host.count) : []),
      ...(host?.loadGenerator ? unpricedInstances(host.loadGenerator.instanceType, 1) : []),
    ],
  };
}

function unpricedInstances(type: string, count: number): string[] {
  return type in PRICED_INSTANCES ? [] : [`${count} ${type} instance${count === 1 ? '' : 's'}`];
}

/** A bill line of one AWS price. */
function line(price: PriceKey, quantity: number): Line {
  return standing(price, price, quantity);
}

/** CloudFront in front of one machine is charged by request only. */
function hostLines(
  { count, instanceType, network, loadGenerator }: Host,
  alarms: boolean,
  hasFrontDoor: boolean,
): Line[] {
  const isGroup = count > 1;
  return [
    ...machineLines(instanceType, count, HOST_DISK_GB, HOST_METRICS),
    ...(loadGenerator ? machineLines(loadGenerator.instanceType, 1, GENERATOR_DISK_GB, DETAILED_METRICS) : []),
    ...(isGroup ? balancerLines(network === 'public' ? ZONES : 0) : []),
    line('alarm', (isGroup && alarms ? HOST_ALARMS : 0) + (hasFrontDoor && alarms ? DOOR_ALARMS : 0)),
    line('smallDashboard', DASHBOARDS),
  ];
}

/** Each machine has a public address, because it reaches AWS without a NAT gateway. */
function machineLines(type: string, count: number, diskGb: number, metrics: number): Line[] {
  const hours = count * MONTH_HOURS;
  const price = PRICED_INSTANCES[type]?.hour;
  return [
    ...(price ? [line(price, hours)] : []),
    line('publicIpv4Hour', hours),
    line('diskGb', count * diskGb),
    line('customMetric', count * metrics),
  ];
}

function fargateLines(
  { count, vcpu, memoryGb, network, balancer }: NonNullable<Config['fargate']>,
  alarms: boolean,
): Line[] {
  const hours = count * MONTH_HOURS;
  const zones = network?.publicSubnetIds.length ?? ZONES;
  return [
    line('fargateArmVcpuHour', hours * vcpu),
    line('fargateArmGbHour', hours * memoryGb),
    line('publicIpv4Hour', network?.privateSubnetIds ? 0 : hours),
    ...balancerLines(balancer === 'public' ? zones : 0),
    // Tasks in private subnets need one, at least.
    line('natGatewayHour', network?.privateSubnetIds ? MONTH_HOURS : 0),
    line('alarm', (alarms ? FARGATE_ALARMS : 0) + SCALING_ALARMS),
    line('smallDashboard', DASHBOARDS),
  ];
}

/** @param addresses one for each zone of a public load balancer, none for an internal one */
function balancerLines(addresses: number): Line[] {
  return [line('loadBalancerHour', MONTH_HOURS), line('publicIpv4Hour', addresses * MONTH_HOURS)];
}
